/** Messages for replacements that fail. They say what to do. */

import { countLines } from './lines.ts';
import { misquoted } from './misquoted.ts';

export const notFound = (text: string, oldText: string, label: string): string =>
  `oldText of ${label} is not in the file. ${misquoted(text, oldText, 'Copy the text exactly, spaces included.')}`;

/** Most places that are listed. */
const MOST_PLACES = 10;

export function foundTwice(text: string, oldText: string, label: string): string {
  const lines = new Set<number>();
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(oldText); at >= 0; ) {
    line += countLines(text.slice(counted, at)) - 1;
    counted = at;
    lines.add(line);
    const end = text.indexOf('\n', at);
    if (lines.size > MOST_PLACES || end < 0) break;
    at = text.indexOf(oldText, end + 1); // another place in the same line would be told by the same number
  }
  const shown = [...lines].slice(0, MOST_PLACES).join(', ') + (lines.size > MOST_PLACES ? ' …' : '');
  return `oldText of ${label} occurs more than once, at line${lines.size > 1 ? 's' : ''} ${shown}. Add surrounding lines to make it unique.`;
}

export const goneAfter = (taker: string, label: string): string =>
  `oldText of ${label} is no longer in the file after ${taker}: edits apply in order, each to the result of the previous ones. Write oldText as it is then, or combine both edits.`;
