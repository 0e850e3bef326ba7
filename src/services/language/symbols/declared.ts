import type * as vscode from 'vscode';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Scope, scopeOf } from '../../../core/declarations/scope.ts';
import { Source } from '../../../core/declarations/source.ts';
import { type Found, findNode, type Node, nested } from '../../../core/declarations/tree.ts';
import { UserError } from '../../../core/errors.ts';
import { visible } from '../../../core/text/escapeInvisible.ts';
import { withLf } from '../../../core/text/replacements.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';
import { declarationOf } from './declaration.ts';
import { kindName } from './outline.ts';
import { resolveSymbol, type SymbolArguments } from './resolveSymbol.ts';

/** A symbol in the text that declares it. */
export interface DeclaredSymbol extends Found {
  target: Target;
  /** Version of the document that has this text. */
  version: number;
  /** With `\n` line ends, not redacted. */
  text: TextDocument;
  scope: Scope;
  /** In the scope. */
  index: number;
}

/** The declaration that an agent means. @throws UserError, NotFoundError, CancelledError */
export async function declaredSymbol(
  wanted: SymbolArguments,
  context: LanguageScope,
  signal: AbortSignal,
): Promise<DeclaredSymbol> {
  const named = await resolveSymbol(wanted, context, signal);
  const target = await declarationOf(named, context, signal);
  if (!target?.symbol)
    throw new UserError(`${visible(named.name)} is not declared in a file that you can read.`);
  const { document, position, location, symbol } = target;
  const { version, languageId } = document;
  const text = TextDocument.create('', '', 0, withLf(document.getText()));
  const symbols = await context.providers.ask<vscode.DocumentSymbol>('symbols', document, signal);
  const name = text.offsetAt(position);
  const found = findNode(
    nested(nodesOf(symbols, text)),
    (one) => one.name === name && one.kind === symbol.kind,
  );
  if (!found || document.version !== version)
    throw new UserError(`${visible(location.path)} is unchanged: it changed meanwhile. Try again.`);
  const scope = scopeOf(new Source(text.getText()), found.siblings, found.parent, languageId);
  return { ...found, target, version, text, scope, index: found.siblings.indexOf(found.node) };
}

const nodesOf = (symbols: readonly vscode.DocumentSymbol[], text: TextDocument): Node[] =>
  symbols.map(({ name, kind, range, selectionRange, children = [] }) => ({
    label: name,
    kind: kindName(kind),
    from: text.offsetAt(range.start),
    to: text.offsetAt(range.end),
    name: text.offsetAt(selectionRange.start),
    children: nodesOf(children, text),
  }));
