import { counted } from '../../../core/text/counted.ts';
import { visible } from '../../../core/text/escapeInvisible.ts';
import type { SearchLine } from '../../../workspace/search/ripgrepEvents.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';

/** Languages whose servers in VS Code know one document: a name in another file is another one to them. */
const OF_ONE_FILE = new Set(['css', 'scss', 'less', 'html']);
/** Most places that are named. */
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
