import type * as vscode from 'vscode';
import { ifUserError } from '../../core/errors.ts';
import { TYPES } from '../../core/kinds.ts';
import { lastName, ownName } from '../../core/symbolPaths.ts';
import { counted, firstOf } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import type { ProviderEdits } from '../../services/language/providerEdits.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { type Everywhere, noteOnElsewhere } from '../../services/language/symbols/elsewhere.ts';
import { outlineOf } from '../../services/language/symbols/outline.ts';
import { type OpenPlace, openPlaces, placesAsked } from '../../services/language/symbols/places.ts';
import { symbolAtPlace } from '../../services/language/symbols/symbolAt.ts';
import { linesWithWord, SOURCES, wordOf } from '../../services/language/symbols/symbolFiles.ts';
import { inParallel } from '../../util/queues.ts';
import type { Context } from '../context.ts';

/** Files whose symbols are looked at, at most. */
const MOST_OUTLINED = 10;

/** 1-based, as those of symbols. */
export const startOf = ({ range: { start } }: Pick<vscode.TextEdit, 'range'>) =>
  `${start.line + 1}:${start.character + 1}`;

/** Notes on what keeps the name of a renamed symbol. */
export async function notesOnRest(
  target: Target,
  files: readonly ProviderEdits[],
  newName: string,
  { found, elsewhere }: Everywhere,
  ctx: Context,
  signal: AbortSignal,
): Promise<(string | undefined)[]> {
  const renamed = new Set(files.map(({ location }) => location.path));
  const { open } = await openPlaces(found, ctx.files);
  const left = open.filter(({ location }) => !renamed.has(location.path));
  // Where an import or export keeps the name, so do the files behind it.
  if (isTypeScript(target.document.languageId)) {
    const alias = noteOnAlias(files, newName);
    return alias
      ? [alias]
      : [noteOnLeft(await naming(target, left, ctx)), await noteOnText(target, files, open, ctx, signal)];
  }
  const answered = new Set(open.map(({ location }) => location.path));
  const rest = elsewhere.filter(({ path }) => !renamed.has(path) || answered.has(path));
  return [noteOnLeft(left), await noteOnNamesakes(target, files, ctx, signal), noteOnElsewhere(rest, target)];
}

/** The places that have the symbol's name: others are those of an alias. */
async function naming({ name }: Target, places: readonly OpenPlace[], { files }: Context) {
  const named = await inParallel(places, 1, async (place) => {
    const { start } = place.range;
    const lines = await files.lines(place.location, [start.line]);
    const isNamed = lines.get(start.line)?.startsWith(lastName(name), start.character);
    return isNamed ? [place] : [];
  });
  return named.flat();
}

/** Pyright, for one, knows uses in files outside of its project, but does not rename there. */
function noteOnLeft(uses: readonly OpenPlace[]): string | undefined {
  if (uses.length === 0) return undefined;
  const named = firstOf(uses.map((one) => `${visible(one.location.path)}:${one.range.start.line + 1}`));
  const lines = counted(uses.length, 'line uses', 'lines use');
  return `${lines} it in files where the language server renames nothing (${named}): use edit_file.`;
}

/** Lines of scripts with the name that are no use: nothing checks a name in a string. Members of other types often have it. */
async function noteOnText(
  { name }: Target,
  changes: readonly ProviderEdits[],
  uses: readonly OpenPlace[],
  ctx: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (name.includes('/')) return undefined;
  const changed = changes.flatMap(({ location, edits }) => edits.map(({ range }) => ({ location, range })));
  const known = new Set([...changed, ...uses].map(placeOf));
  const lines = await linesWithWord([wordOf(name)], SOURCES, ctx, signal);
  const left = lines.filter(({ path, line }) => !known.has(`${path}:${line}`));
  if (left.length === 0) return undefined;
  const places = firstOf(left.map(({ path, line }) => `${visible(path)}:${line}`));
  return `${counted(left.length, 'line has', 'lines have')} the name too, as text or for something else (${places}).`;
}

const placeOf = ({ location, range }: Pick<OpenPlace, 'location' | 'range'>): string =>
  `${location.path}:${range.start.line + 1}`;

/** Where a property or an import keeps its name, TypeScript writes `old: new` or `old as new`. */
function noteOnAlias(files: readonly ProviderEdits[], newName: string): string | undefined {
  const alias = files
    .flatMap(({ edits }) => edits.map((edit) => edit.newText))
    .find((text) => text !== newName && /^[\w$#]+(?: as |: )[\w$#]+$/.test(text));
  if (alias === undefined) return undefined;
  return `Not everything has the new name: "${visible(alias)}" keeps the other one. To rename that too, rename the property or the export itself.`;
}

/** What implements a method, or is implemented by it, and keeps the name: gopls renames only the one that is named. */
async function implementationsLeft(
  target: Target,
  files: readonly ProviderEdits[],
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  if (target.symbol?.kind !== 'method') return [];
  const changed = new Set(
    files.flatMap(({ location, edits }) => edits.map((edit) => `${location.path}:${startOf(edit)}`)),
  );
  const places = await placesAsked('implementations', target, ctx, signal).catch(ifUserError([]));
  const { open } = await openPlaces(places, ctx.files);
  const left = open.filter(({ location, range }) => !changed.has(`${location.path}:${startOf({ range })}`));
  return inParallel(left.slice(0, MOST_OUTLINED), 1, async (place) => {
    const found = await symbolAtPlace(place, '', ctx, signal).catch(ifUserError(undefined));
    const at = `${visible(place.location.path)}:${place.range.start.line + 1}`;
    return `${visible(found?.path ?? lastName(target.name))} (${at})`;
  });
}

/** The members of other types, in the files of a rename, that keep the name: not every server renames what overrides a method. */
async function noteOnNamesakes(
  target: Target,
  files: readonly ProviderEdits[],
  ctx: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!target.symbol || !target.name.includes('/')) return undefined;
  const wanted = ownName(target.symbol.name);
  const found = await inParallel(files.slice(0, MOST_OUTLINED), 1, async ({ location, edits }) => {
    const outline = await outlineOf(location, ctx, signal).catch(ifUserError(undefined));
    const types = new Set(outline?.all.flatMap((one) => (TYPES.has(one.symbol.kind) ? [one.path] : [])));
    const changed = new Set(edits.map(startOf));
    const namesakes = outline?.all.filter(
      ({ symbol: { name, line, column }, path }) =>
        ownName(name) === wanted &&
        types.has(path.replace(/\/[^/]*$/, '')) &&
        !changed.has(`${line}:${column}`),
    );
    return (
      namesakes?.map(({ symbol, path }) => `${visible(path)} (${visible(location.path)}:${symbol.line})`) ??
      []
    );
  });
  const all = [...new Set([...found.flat(), ...(await implementationsLeft(target, files, ctx, signal))])];
  if (all.length === 0) return undefined;
  return `Not renamed, though the name is the same: ${firstOf(all)}.`;
}
