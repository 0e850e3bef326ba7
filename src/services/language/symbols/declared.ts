import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import type { Declared } from '../../../core/declarations/extent.ts';
import { type SymbolScope, scopeOf } from '../../../core/declarations/scope.ts';
import { Source } from '../../../core/declarations/source.ts';
import { UserError } from '../../../core/errors.ts';
import { visible } from '../../../core/text/escapeInvisible.ts';
import { withLf } from '../../../core/text/replacements.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';
import { declarationOf } from './declaration.ts';
import { kindName, outlineOf } from './outline.ts';
import { resolveSymbol, type SymbolArguments } from './resolveSymbol.ts';

/** A symbol in the text that declares it. */
export interface DeclaredSymbol extends FoundNode {
  target: Target;
  /** Version of the document. */
  version: number;
  /** Its text, redacted. */
  scope: SymbolScope;
  /** In the scope. */
  index: number;
  /** Of all its declarations. */
  indexes: readonly number[];
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
  const content = await context.files.read(location);
  const source = new Source(content.kind === 'text' ? withLf(content.text) : '');
  const outline = await outlineOf(location, context, signal);
  const nodes = nested(nodesOf(outline.found, source));
  const found = findNode(nodes, keyOf(position, symbol.kind));
  if (!found || document.version !== version)
    throw new UserError(`${visible(location.path)} is unchanged: it changed meanwhile. Try again.`);
  const scope = scopeOf(source, found.siblings, found.parent, languageId);
  const index = found.siblings.indexOf(found.node);
  const keys = (target.parts ?? []).map(({ symbol: part }) =>
    keyOf({ line: part.line - 1, character: part.column - 1 }, part.kind),
  );
  const indexes = target.parts
    ? found.siblings.flatMap(({ key }, at) => (keys.includes(key) ? [at] : []))
    : [index];
  return { ...found, target, version, scope, index, indexes };
}

const keyOf = ({ line, character }: Pick<vscode.Position, 'line' | 'character'>, kind: string): string =>
  `${line}:${character} ${kind}`;

const nodesOf = (symbols: readonly vscode.DocumentSymbol[], source: Source): Node[] =>
  symbols.map(({ name, kind, range, selectionRange, children = [] }) => ({
    label: name,
    key: keyOf(selectionRange.start, kindName(kind)),
    kind: kindName(kind),
    from: offsetOf(range.start, source, /\S|$/),
    to: offsetOf(range.end, source, /[\s;,]*$/),
    name: source.offsetAt(selectionRange.start),
    children: nodesOf(children, source),
  }));

/** @param edge what its place is taken for in a line with redacted text: columns are others, and such a line is not changed */
function offsetOf(position: vscode.Position, source: Source, edge: RegExp): number {
  const line = source.line(position.line);
  return line.includes(REDACTED)
    ? source.startOf(position.line) + line.search(edge)
    : source.offsetAt(position);
}

/** A symbol with those inside it. */
export interface Node extends Declared {
  label: string;
  /** Tells it from others. */
  key: string;
  children: readonly Node[];
}

/**
 * In text order, with the symbols inside another one as its children: TypeScript gives parameters of a constructor as siblings of
 * it. One that ends with the other stays its sibling: `a, .b { }` in CSS.
 */
function nested(nodes: readonly Node[]): Node[] {
  const roots: (Node & { children: Node[] })[] = [];
  for (const node of [...nodes].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = roots.at(-1);
    if (last && last.from < node.from && node.to < last.to) last.children.push(node);
    else roots.push({ ...node, children: [...node.children] });
  }
  return roots.map((node) => ({ ...node, children: nested(node.children) }));
}

/** A node with its siblings and parent. */
export interface FoundNode {
  node: Node;
  siblings: readonly Node[];
  parent: Node | undefined;
}

function findNode(siblings: readonly Node[], key: string, parent?: Node): FoundNode | undefined {
  const node = siblings.find((one) => one.key === key);
  if (node) return { node, siblings, parent };
  for (const one of siblings) {
    const found = findNode(one.children, key, one);
    if (found) return found;
  }
  return undefined;
}
