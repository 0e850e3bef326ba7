import type * as vscode from 'vscode';
import { Source } from '../../../core/declarations/source.ts';
import { UserError } from '../../../core/errors.ts';
import { bareName, lastName } from '../../../core/symbolPaths.ts';
import { hoverParts } from '../../../core/text/hoverText.ts';
import { withLf } from '../../../core/text/replacements.ts';
import { visible } from '../../../core/text/visible.ts';
import { delay } from '../../../util/clock.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isTypeScript } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';
import { isAt } from './allDeclarations.ts';
import { type Candidate, type Target, targetOf } from './candidates.ts';
import { isDefine } from './cFamily.ts';
import { outlineOf } from './outline.ts';
import { openPlaces, placesAsked } from './places.ts';
import { resolveSymbol, type SymbolArguments } from './resolveSymbol.ts';
import { definitionAmong, symbolAtPlace } from './symbolAt.ts';
import { type FoundNode, findNode, isSameName, keyOf, treeOf } from './tree.ts';

/** How long TypeScript may take to load what it shows, and how often to look, in milliseconds. */
const LOADING_TIMEOUT_MS = 10_000;
const POLL = 500;
/** What it shows until then. */
const LOADING = /^\(loading\.\.\.\) /m;

/**
 * The target's symbol at its declaration, if the target is a use of it.
 *
 * @returns undefined if it is declared in no file of this agent, or there is no symbol: a parameter, or one of several declarations
 * @throws UserError, CancelledError
 */
export async function declarationOf(
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target | undefined> {
  if (target.symbol) return target;
  const places = await placesAsked('definitions', target, scope, signal);
  const own = places.filter((place) => isAt(place, target));
  const { open } = await openPlaces(own.length > 0 ? own : places, scope.files);
  const name = bareName(lastName(target.name));
  const found: (Candidate & { location: Location })[] = [];
  for (const place of open) {
    const one = await symbolAtPlace(place, name, scope, signal);
    if (one) found.push({ ...one, location: place.location });
  }
  const main = isTypeScript(target.document.languageId)
    ? found[0]
    : await definitionAmong(found, scope.files);
  return main && targetOf(main, scope);
}

/** Whether a use is of something in a file of the workspace that is closed to this agent. @throws UserError, CancelledError */
export async function isOfClosedFile(
  target: Pick<Target, 'document' | 'position' | 'symbol'>,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<boolean> {
  if (target.symbol) return false;
  const places = await placesAsked('definitions', target, scope, signal);
  const inside = places.filter(({ uri }) => scope.vscode.workspace.getWorkspaceFolder(uri));
  return (await openPlaces(inside, scope.files)).closed > 0;
}

/**
 * What hovering over a symbol shows, redacted: mostly its signature, then documentation. Links are only for people.
 *
 * @returns a text for each part; `isLoading` if the server does not know all of it yet
 * @throws UserError, CancelledError
 */
export async function documentationOf(
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<{ texts: string[]; isLoading?: true }> {
  const { location, position } = target;
  const { files } = scope;
  if (await isOfClosedFile(target, scope, signal)) return { texts: [] };
  const hovers = await loadedHovers(target, scope, signal);
  const redacted = await files.redactor.redactedText(location);
  const texts = hovers.flatMap(({ contents, range }) =>
    contents.flatMap((content) => {
      const at = range ?? { start: position, end: position };
      return hoverParts(markdownOf(content).replace(LOADING, '')).map(
        (part) => redacted?.said(part, at) ?? part,
      );
    }),
  );
  const isLoading = hovers.some(isUnfinished);
  return { texts, ...(isLoading && { isLoading }) };
}

const markdownOf = (content: vscode.MarkdownString | vscode.MarkedString): string =>
  (typeof content === 'string' ? content : content.value).trim();

const isUnfinished = ({ contents }: vscode.Hover): boolean =>
  contents.some((content) => LOADING.test(markdownOf(content)));

async function loadedHovers(
  { document, position }: Target,
  { providers }: LanguageScope,
  signal: AbortSignal,
): Promise<readonly vscode.Hover[]> {
  for (let waited = 0; ; waited += POLL) {
    const hovers = await providers.ask<vscode.Hover>('hovers', document, signal, position);
    if (waited >= LOADING_TIMEOUT_MS || !hovers.some(isUnfinished)) return hovers;
    await delay(POLL, signal).catch(() => {});
  }
}

async function whyUnchangeable(target: Target, scope: LanguageScope, signal: AbortSignal): Promise<string> {
  const { symbol, location } = target;
  if (symbol) return `it is a macro (${visible(location.path)}:${symbol.line})`;
  const places = await placesAsked('definitions', target, scope, signal);
  const [place] = (await openPlaces(places, scope.files)).open;
  if (place)
    return `it is declared in ${visible(place.location.path)}:${place.range.start.line + 1}, but is no symbol of that file's outline, as parameters and local names are none`;
  return places.length > 0 ? 'it is declared where you cannot read' : 'no language server knows it';
}

/** A symbol in the text that declares it, which is redacted. */
export interface DeclaredSymbol extends FoundNode {
  target: Target;
  version: number;
  indexes: readonly number[];
}

/**
 * The declaration that an agent means.
 *
 * @throws UserError if it has another name than the agent asked for, or is not where the language server says; NotFoundError, CancelledError
 */
export async function declaredSymbol(
  wanted: SymbolArguments,
  context: LanguageScope,
  signal: AbortSignal,
): Promise<DeclaredSymbol> {
  const named = await resolveSymbol({ ...wanted, isForChange: true }, context, signal);
  const target = await declarationOf(named, context, signal);
  if (!target?.symbol || isDefine(target.symbol)) {
    const why = await whyUnchangeable(target ?? named, context, signal);
    throw new UserError(
      `edit_symbol cannot change the declaration of ${visible(named.name)}: ${why}. Use edit_file.`,
    );
  }
  const { document, position, location, symbol } = target;
  const asked = wanted.symbol ?? (named.symbol ? undefined : named.name);
  if (wanted.line !== undefined && asked !== undefined && !isSameName(asked, symbol.name))
    throw new UserError(
      `${visible(asked)} on line ${wanted.line} is not in the outline of ${visible(location.path)}: the nearest symbol is ${symbol.kind} ${visible(target.name)} (line ${symbol.line}), which has another name. Pass that name, or use edit_file.`,
    );
  const { version, languageId } = document;
  if (!(await context.files.isAsOnDisk(location)))
    throw new UserError(
      `${visible(location.path)} is unchanged: it has just changed on the disk, and VS Code has not read it yet. Try again.`,
    );
  const content = await context.files.read(location);
  const source = new Source(content.kind === 'text' ? withLf(content.text) : '');
  const outline = await outlineOf(location, context, signal);
  const roots = treeOf(outline.found, source);
  const found = findNode(roots, keyOf(position, symbol.kind), source, languageId);
  if (!found || document.version !== version)
    throw new UserError(`${visible(location.path)} is unchanged: it changed meanwhile. Try again.`);
  const parts = target.parts?.filter(({ outline: one }) => one.location.path === location.path);
  const keys = (parts ?? []).map(({ symbol: part }) =>
    keyOf({ line: part.line - 1, character: part.column - 1 }, part.kind),
  );
  const indexes = target.parts
    ? found.siblings.flatMap(({ key }, at) => (keys.includes(key) ? [at] : []))
    : [found.index];
  return { ...found, target, version, indexes };
}
