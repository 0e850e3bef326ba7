import { isTestFile } from '../../core/testFiles.ts';
import { counted } from '../../core/text/counted.ts';
import { visible, visibleText } from '../../core/text/escapeInvisible.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { type Hit, hitsAt, type OpenPlace } from '../../services/language/symbols/places.ts';
import type { Files } from '../../workspace/files.ts';

/** Hits by file, as `search_text` shows them; each file's path once. */
export function grouped(hits: readonly Hit[]): string[] {
  let last: string | undefined;
  return hits.map(({ path, line, text, label }) => {
    const lead = path === last ? '' : `${visible(path)}\n`;
    last = path;
    return `${lead}${line}: ${label ? `${visible(label)}  ` : ''}${visibleText(text)}`;
  });
}

/** The first places by file, under a heading with their number. */
export async function listed(
  title: string,
  places: readonly OpenPlace[],
  most: number,
  files: Files,
): Promise<string[]> {
  return [headed(title, places, most), ...grouped(await hitsAt(places.slice(0, most), files))];
}

/** The same without the texts: the lines of each file. */
export function numbered(title: string, places: readonly OpenPlace[], most: number): string[] {
  const byPath = Map.groupBy(places.slice(0, most), ({ location }) => location.path);
  const linesOf = (some: readonly OpenPlace[]) => some.map(({ range }) => range.start.line + 1).join(', ');
  const lines = [...byPath].map(([path, some]) => `${visible(path)}: ${linesOf(some)}`);
  return [headed(title, places, most), ...lines];
}

const headed = (title: string, { length }: readonly OpenPlace[], most: number): string =>
  `${title} (${length > most ? `${most} of ${length}` : length}):`;

export const isInTest = ({ location }: OpenPlace): boolean => isTestFile(location.path);

/** A note on places that this agent may not know of. */
export const noteOnClosed = (closed: number): string | undefined =>
  closed > 0
    ? `${counted(closed, 'more place is', 'more places are')} outside the workspace or closed to you.`
    : undefined;

/**
 * A symbol and its place, for headings: a name may be that of another symbol than the agent means.
 *
 * @param asked the path that the agent has given, which is not repeated
 */
export const titleOf = ({ name, symbol, location, position }: Target, asked?: string): string => {
  const line = position.line + 1;
  const place = location.path === asked ? `line ${line}` : `${visible(location.path)}:${line}`;
  return `${symbol ? `${symbol.kind} ` : ''}${visible(name)} (${place})`;
};
