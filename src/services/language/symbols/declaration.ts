import type * as vscode from 'vscode';
import { cutText } from '../../../core/text/cutText.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';
import { outlineOf } from './outline.ts';
import { type Definition, openPlaces, placeOf } from './places.ts';

/** Longest documentation, in UTF-16 units. */
const MOST_DOCUMENTATION = 3_000;

/**
 * The same symbol at its declaration, if the target is a use of it.
 *
 * @returns undefined if its declaration is in no file of this agent
 * @throws UserError, CancelledError
 */
export async function declarationOf(
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target | undefined> {
  if (target.symbol) return target;
  const { document, position, name } = target;
  const found = await scope.providers.ask<Definition>('definitions', document, signal, position);
  const [place] = (await openPlaces(found.map(placeOf), scope.files)).open;
  if (!place) return undefined;
  const outline = await outlineOf(place.location, scope, signal);
  const line = place.range.start.line + 1;
  const { all } = outline;
  const around = all.findLast(({ symbol }) => symbol.line <= line && line <= symbol.endLine);
  const one = all.find(({ symbol }) => symbol.line === line && symbol.name === name) ?? around;
  if (!one) return undefined;
  const { line: at, column } = one.symbol;
  const at0 = new scope.vscode.Position(at - 1, column - 1);
  return { ...outline, position: at0, name: one.path, symbol: one.symbol };
}

/** Whether a use is of something in a file of the workspace that is closed to this agent. @throws UserError, CancelledError */
export async function isOfClosedFile(
  { document, position, symbol }: Pick<Target, 'document' | 'position' | 'symbol'>,
  { providers, files, vscode }: LanguageScope,
  signal: AbortSignal,
): Promise<boolean> {
  if (symbol) return false;
  const found = await providers.ask<Definition>('definitions', document, signal, position);
  const inside = found.map(placeOf).filter(({ uri }) => vscode.workspace.getWorkspaceFolder(uri));
  return (await openPlaces(inside, files)).closed > 0;
}

/** What hovering over a symbol shows, redacted: mostly its signature and documentation. @throws UserError, CancelledError */
export async function documentationOf(
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<string> {
  const { document, position, location } = target;
  const { providers, files } = scope;
  if (await isOfClosedFile(target, scope, signal)) return '';
  const hovers = await providers.ask<vscode.Hover>('hovers', document, signal, position);
  const redacted = await files.redactor.redactedText(location, await files.redactor.openTexts());
  const texts = hovers.flatMap(({ contents, range }) =>
    contents.map((content) => {
      const markdown = (typeof content === 'string' ? content : content.value).trim();
      const plain = markdown.replaceAll(/^```.*\n?/gm, '').trim();
      const at = range ?? { start: position, end: position };
      return redacted?.said(plain, at) ?? plain;
    }),
  );
  return cutText(texts.filter(Boolean).join('\n\n'), MOST_DOCUMENTATION);
}
