/** The callers of a function: as the server tells them, or by references and text where servers are known to be wrong. */
import type * as vscode from 'vscode';
import { namesCalled } from '../../../core/declarations/mentions.ts';
import { ifUserError } from '../../../core/errors.ts';
import { FUNCTIONS, isCFamily } from '../../../core/kinds.ts';
import { bareName, lastName } from '../../../core/symbolPaths.ts';
import { inParallel } from '../../../util/queues.ts';
import type { LanguageScope } from '../providers.ts';
import { type Target, targetOf } from './candidates.ts';
import { referencesTo } from './elsewhere.ts';
import { type Extent, type Neighbour, type Walk, walk, walkHierarchy } from './hierarchy.ts';
import { MOST_FILES_READ } from './mentioned.ts';
import { type FileSymbol, outlineOf } from './outline.ts';
import { type OpenPlace, openPlaces } from './places.ts';
import { twinsOf } from './twins.ts';

const AT_ONCE = 8;

interface Callers extends Walk {
  /** Why they were found by references and text, as a sentence. */
  why?: string;
  /** Files with references that were not looked at. */
  leftOut?: number;
}

/** @returns undefined if there is no call hierarchy at this place @throws UserError, CancelledError */
export async function callersTo(
  target: Target,
  extent: Extent,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Callers | undefined> {
  const found = await walkHierarchy(target, { direction: 'in', ...extent }, scope, signal);
  const hasTwin = (await twinsOf(target, scope, signal)).length > 0;
  const why = found && doubtAbout(found, target.document, extent, hasTwin);
  return why ? { ...(await callersByText(target, extent, scope, signal)), why } : found;
}

/** Why the callers that a server gives may be wrong or end too early, as a sentence. */
function doubtAbout(
  { levels }: Walk,
  { languageId }: vscode.TextDocument,
  { depth }: Extent,
  hasTwin: boolean,
): string | undefined {
  const has = (wrong: RegExp) =>
    levels.some(({ places }) => places.some(({ label = '' }) => wrong.test(label)));
  const how = 'These callers are found by references and the text: the language server';
  if (hasTwin) return `${how} counts those of a stub (.pyi) and of its source apart.`;
  // To clangd, those of several programs are one.
  if (isCFamily(languageId) && has(/^main$/))
    return `${how} may take the main functions of several files for one.`;
  // gopls calls one `Run.func()`, and gives no callers of it.
  if (languageId === 'go' && depth > 1 && has(/\.func\d*\b/))
    return `${how} does not follow function literals.`;
  return undefined;
}

async function callersByText(
  target: Target,
  extent: Extent,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Callers> {
  let leftOut = 0;
  const neighboursOf = async (one: Target): Promise<Neighbour<Target>[]> => {
    const found = await referencesTo(one, scope, signal);
    const { open, closed } = await openPlaces(found, scope.files);
    const byFile = [...Map.groupBy(open, ({ location }) => location.path).values()];
    leftOut += Math.max(0, byFile.length - MOST_FILES_READ);
    const callers = await inParallel(byFile.slice(0, MOST_FILES_READ), AT_ONCE, (places) =>
      callersAt(places, lastName(one.name), scope, signal),
    );
    const opened = new Set(open.map(({ uri }) => `${uri}`));
    const others = closed > 0 ? found.filter(({ uri }) => !opened.has(`${uri}`)) : [];
    return [...others.map((place) => ({ place })), ...callers.flat()];
  };
  const keyOf = ({ location, position }: Target) => `${location.uri} ${position.line}:${position.character}`;
  const steps = { roots: [target], keyOf, nameOf: ({ name }: Target) => name, neighboursOf };
  return { ...(await walk(steps, target.name, extent, scope.files)), leftOut };
}

/** The calls among the references to a function in one file, with the functions around them. */
async function callersAt(
  places: readonly OpenPlace[],
  name: string,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Neighbour<Target>[]> {
  const [first] = places;
  const outline = first && (await outlineOf(first.location, scope, signal).catch(ifUserError(undefined)));
  if (!outline) return places.map((place) => ({ place }));
  const numbers = places.map(({ range }) => range.start.line);
  const lines = await scope.files.lines(first.location, numbers);
  const { languageId } = outline.document;
  return places.flatMap((place) => {
    const index = place.range.start.line;
    const text = lines.get(index) ?? '';
    const isCall = namesCalled(text, languageId).some((at) => text.startsWith(name, at));
    const isHead = ({ symbol }: { symbol: FileSymbol }) =>
      symbol.line === index + 1 && bareName(lastName(symbol.name)) === name;
    if (!isCall || outline.all.some(isHead)) return [];
    const around = outline.all.findLast(
      ({ symbol: { kind, line, startLine = line, endLine } }) =>
        FUNCTIONS.has(kind) && startLine <= index + 1 && index < endLine,
    );
    if (!around) return [{ place }];
    return [
      { item: targetOf({ ...around, outline }, scope), place: { ...place, label: around.symbol.name } },
    ];
  });
}
