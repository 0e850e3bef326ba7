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
    return `${lead}  ${line}: ${label ? `${visible(label)}  ` : ''}${visibleText(text)}`;
  });
}

/** The first places by file, under a heading with their number. */
export async function listed(
  title: string,
  places: readonly OpenPlace[],
  most: number,
  files: Files,
): Promise<string[]> {
  const count = places.length > most ? `${most} of ${places.length}` : `${places.length}`;
  return [`${title} (${count}):`, ...grouped(await hitsAt(places.slice(0, most), files))];
}

export const isInTest = ({ location }: OpenPlace): boolean => isTestFile(location.path);

/** A note on places that this agent may not know of. */
export const noteOnClosed = (closed: number): string | undefined =>
  closed > 0
    ? `${counted(closed, 'more place is', 'more places are')} outside the workspace or closed to you.`
    : undefined;

/** A symbol and its place, for headings: a name may be that of another symbol than the agent means. */
export const titleOf = ({ name, symbol, location, position }: Target): string =>
  `${symbol ? `${symbol.kind} ` : ''}${visible(name)} (${visible(location.path)}:${position.line + 1})`;
