import type * as vscode from 'vscode';
import { counted, cutText, ifUserError, visible } from '../../../core/messages.ts';
import { inParallel } from '../../../util/turns.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { SearchLine } from '../../../workspace/search/ripgrepSearch.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';

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
export type Definition = vscode.Location | vscode.LocationLink;

export const placeOf = (found: Definition): ServerPlace =>
  'targetUri' in found
    ? { uri: found.targetUri, range: found.targetSelectionRange ?? found.targetRange }
    : { uri: found.uri, range: found.range };

/**
 * The places that this agent may know of, one a line, sorted by file and line; and how many lines are left out because their files
 * are closed to it.
 */
export async function openPlaces(
  places: readonly ServerPlace[],
  files: Files,
): Promise<{ open: OpenPlace[]; closed: number }> {
  const uris = new Map(places.map(({ uri }) => [uri.toString(), uri]));
  const locations = new Map(
    await inParallel([...uris], AT_ONCE, async ([key, uri]) => [key, await files.permitted(uri)] as const),
  );
  const lines = new Map(
    places.map((place) => [`${place.uri} ${place.range.start.line} ${place.label}`, place]),
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

/** Languages whose servers in VS Code know one document: a name in another file is another one to them. */
const OF_ONE_FILE = new Set(['css', 'scss', 'less', 'html']);
const MOST_LINES_NAMED = 5;

/**
 * Lines of other files that have the name of a symbol whose language server knows one file only.
 *
 * @param known paths of the files that its answer covers
 * @throws CancelledError
 */
export async function linesElsewhere(
  { document, position, location }: Target,
  known: ReadonlySet<string>,
  { files }: LanguageScope,
  signal: AbortSignal,
): Promise<SearchLine[]> {
  if (!OF_ONE_FILE.has(document.languageId)) return [];
  const line = (await files.lines(location, [position.line])).get(position.line) ?? '';
  const how = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0, exclude: [] };
  const found: SearchLine[] = [];
  for (const where of searchesFor(line, position.character))
    found.push(...(await files.search({ ...how, ...where }, signal)));
  return found.filter(({ path, hit }) => hit && path !== location.path && !known.has(path));
}

const STYLES = ['*.css', '*.scss', '*.less'];
const MARKUP = ['*.html', '*.htm', '*.vue', '*.svelte', '*.astro', '*.jsx', '*.tsx', '*.js', '*.ts', '*.php'];

/** Where else a name of CSS would stand: a property as it is, a class or an id in selectors and in attributes. */
function searchesFor(line: string, at: number): { query: string; include: string[] }[] {
  const found = [...line.matchAll(/(--|[.#])([\w-]+)/g)].find(
    ({ 0: whole, index }) => index <= at + 1 && at < index + whole.length,
  );
  const [, mark, name] = found ?? [];
  if (!mark || !name) return [];
  const end = '($|[^\\w-])';
  if (mark === '--') return [{ query: `(^|[^\\w-])--${name}${end}`, include: [...STYLES, ...MARKUP] }];
  const attribute = mark === '.' ? 'class(Name)?' : 'id';
  return [
    { query: `\\${mark}${name}${end}`, include: STYLES },
    { query: `\\b${attribute}\\s*=\\s*["'{\`][^>]*\\b${name}${end}`, include: MARKUP },
  ];
}

/** A note on them; undefined if there are none. */
export function noteOnElsewhere(lines: readonly SearchLine[], { document }: Target): string | undefined {
  if (lines.length === 0) return undefined;
  const shown = lines.slice(0, MOST_LINES_NAMED).map(({ path, line }) => `${visible(path)}:${line}`);
  const more = lines.length > MOST_LINES_NAMED ? ` and ${lines.length - MOST_LINES_NAMED} more` : '';
  const verb = lines.length === 1 ? 'has' : 'have';
  return `The language server of ${document.languageId} knows this file only: ${counted(lines.length, 'line')} of other files ${verb} the name too (${shown.join(', ')}${more}).`;
}
