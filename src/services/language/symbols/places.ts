import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { ifUserError } from '../../../core/errors.ts';
import { counted, cutText, firstOf } from '../../../core/text/cut.ts';
import { visible } from '../../../core/text/visible.ts';
import { inParallel } from '../../../util/queues.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isTypeScript } from '../checkers.ts';
import type { Wanted } from '../providerCommands.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';
import { wordOf } from './symbolFiles.ts';

export interface ServerPlace {
  uri: vscode.Uri;
  range: vscode.Range;
  /** What is there, if the line does not say it. */
  label?: string;
}

/** A place in a file that this agent may read. */
export type OpenPlace = ServerPlace & { location: Location };

export interface Hit {
  path: string;
  /** 1-based. */
  line: number;
  /** The line, redacted, without its indentation. */
  text: string;
  label?: string;
}

/** Longest text shown of a line, in UTF-16 units. */
const LONGEST_HIT = 160;
const AT_ONCE = 8;

/** What definition providers answer with. */
type Definition = vscode.Location | vscode.LocationLink;

const placeOf = (found: Definition): ServerPlace =>
  'targetUri' in found
    ? { uri: found.targetUri, range: found.targetSelectionRange ?? found.targetRange }
    : { uri: found.uri, range: found.range };

/** Where a server leads from a position. @throws UserError, CancelledError */
export const placesAsked = async (
  what: Wanted,
  { document, position }: Pick<Target, 'document' | 'position'>,
  { providers }: LanguageScope,
  signal: AbortSignal,
): Promise<ServerPlace[]> => (await providers.ask<Definition>(what, document, signal, position)).map(placeOf);

/**
 * The places that this agent may know of, one a line, sorted by file and line; and how many lines are left out because their files
 * are closed to it. Files that are gone, which an index may still have, do not count.
 */
export async function openPlaces(
  places: readonly ServerPlace[],
  files: Files,
): Promise<{ open: OpenPlace[]; closed: number }> {
  const uris = new Map(places.map(({ uri }) => [uri.toString(), uri]));
  const located = await inParallel([...uris], AT_ONCE, async ([key, uri]) => {
    const location = await files.permitted(uri);
    const mayBeGone = !location && uri.scheme !== 'untitled' && files.mayKnow(uri);
    const isGone = mayBeGone && !(await files.stat({ uri }));
    return isGone ? [] : [[key, location] as const];
  });
  const locations = new Map(located.flat());
  const there = places.filter(({ uri }) => locations.has(uri.toString()));
  const lines = new Map(
    there.map((place) => [`${place.uri} ${place.range.start.line} ${place.label}`, place]),
  );
  const open = [...lines.values()].flatMap((place) => {
    const location = locations.get(place.uri.toString());
    return location ? [{ ...place, location }] : [];
  });
  open.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { open, closed: lines.size - open.length };
}

export const keyOf = ({ location, range }: OpenPlace): string =>
  `${location.path}\0${String(range.start.line).padStart(8, '0')}`;

/** The places with their lines' text as this agent may read it; only their files are read. */
export async function hitsAt(places: readonly OpenPlace[], files: Files): Promise<Hit[]> {
  const byPath = Map.groupBy(places, ({ location }) => location.path);
  const hits = await inParallel([...byPath.values()], AT_ONCE, (ofFile) => hitsInFile(ofFile, files));
  return hits.flat();
}

async function hitsInFile(places: readonly OpenPlace[], files: Files): Promise<Hit[]> {
  const [first] = places;
  if (!first) return [];
  const { location } = first;
  const wanted = new Set(places.map(({ range }) => range.start.line));
  const lines = await files.lines(location, [...wanted]).catch(ifUserError(new Map<number, string>()));
  const hasLabels = places.some(({ label }) => label);
  const redacted = hasLabels ? await files.redactor.redactedText(location) : undefined;
  return places.map(({ range, label }) => {
    const { line } = range.start;
    const text = cutText((lines.get(line) ?? '').trim(), LONGEST_HIT);
    const shown = label && (redacted?.named(label, range) ?? label);
    return { path: location.path, line: line + 1, text, ...(shown && { label: shown }) };
  });
}

/** Tells places of an index that is older than the text from the others, in the files of these places. TypeScript has no index. */
export async function currentPlaces(
  places: readonly OpenPlace[],
  target: Target,
  files: Files,
): Promise<{ current: readonly OpenPlace[]; note?: string }> {
  if (isTypeScript(target.document.languageId)) return { current: places };
  const name = wordOf(target.name);
  const byPath = [...Map.groupBy(places, ({ location }) => location.path).values()];
  const judged = await inParallel(byPath, AT_ONCE, async (ofFile) => {
    const numbers = ofFile.map(({ range }) => range.start.line);
    const [first] = ofFile;
    // The first line shows whether there are any: of what is no text, there are none.
    const lines =
      first &&
      (await files
        .lines(first.location, [...new Set([0, ...numbers])])
        .catch(ifUserError(new Map<number, string>())));
    return ofFile.map((place) => [place, lines?.has(0) && isStale(place, lines, name)] as const);
  });
  const stale = judged.flat().flatMap(([place, isOld]) => (isOld ? [place] : []));
  if (stale.length === 0) return { current: places };
  const named = stale.map(({ location, range }) => `${visible(location.path)}:${range.start.line + 1}`);
  return {
    current: places.filter((place) => !stale.includes(place)),
    note: `${counted(stale.length, 'line')} without the name (${firstOf(named)}) left out: the index of the language server is older than the text.`,
  };
}

/** Whether neither the line nor the place has the name, nor the whole of another word: an alias, say, or an operator. */
function isStale(
  { range: { start, end } }: OpenPlace,
  lines: ReadonlyMap<number, string>,
  name: string | undefined,
): boolean {
  const line = lines.get(start.line);
  if (line === undefined) return true;
  if (name === undefined || start.line !== end.line || line.includes(name) || line.includes(REDACTED))
    return false;
  if (end.character > line.length) return true;
  const isOther = [...line.matchAll(/[\p{L}\p{N}_$]+/gu)].some(
    ({ 0: word, index }) => index === start.character && index + word.length === end.character,
  );
  return !isOther && end.character - start.character === name.length;
}
