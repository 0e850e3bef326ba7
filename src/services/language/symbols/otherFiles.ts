import { counted } from '../../../core/text/counted.ts';
import { visible } from '../../../core/text/escapeInvisible.ts';
import type { SearchLine } from '../../../workspace/search/ripgrepEvents.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';

/** Languages whose servers in VS Code know one document: a name in another file is another one to them. */
const OF_ONE_FILE = new Set(['css', 'scss', 'less', 'html']);
/** Most places that are named. */
const MOST = 5;

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
  const line = (await files.lines(location, [position.line])).get(position.line);
  const name = nameAt(line ?? '', position.character);
  if (!name) return [];
  const query = `(^|[^\\w-])${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}($|[^\\w-])`;
  const how = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0 };
  const lines = await files.search({ query, ...how, include: [], exclude: [] }, signal);
  return lines.filter(({ path, hit }) => hit && path !== location.path && !known.has(path));
}

/** A note on them; undefined if there are none. */
export function noteOnElsewhere(lines: readonly SearchLine[], { document }: Target): string | undefined {
  if (lines.length === 0) return undefined;
  const shown = lines.slice(0, MOST).map(({ path, line }) => `${visible(path)}:${line}`);
  const more = lines.length > MOST ? ` and ${lines.length - MOST} more` : '';
  const verb = lines.length === 1 ? 'has' : 'have';
  return `The language server of ${document.languageId} knows this file only: ${counted(lines.length, 'line')} of other files ${verb} the name too (${shown.join(', ')}${more}).`;
}

/** A name of CSS: of a class, an id or a property. */
const nameAt = (line: string, at: number): string | undefined =>
  [...line.matchAll(/[\w-]+/g)].find(
    ({ 0: name, index }) => index <= at + 1 && at < index + name.length,
  )?.[0];
