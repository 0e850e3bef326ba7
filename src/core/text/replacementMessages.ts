/** Messages for replacements that fail. They say what to do. */
import { countLines } from './lines.ts';
import { nearestLines } from './nearestLines.ts';

/** Lists the most similar places, because the agent may have misquoted. */
export function notFound(text: string, oldText: string, label: string): string {
  const candidates = nearestLines(text, oldText);
  const nearest = candidates.map(({ line, endLine, text }) => `lines ${line} to ${endLine}:\n${text}`);
  const hint =
    nearest.length > 0
      ? `Nearest:\n${nearest.join('\n')}\nCopy the text exactly, spaces included.`
      : 'Read the file again: it may have changed.';
  return `oldText of ${label} is not in the file. ${hint}`;
}

/** Most places that are listed. */
const MOST_PLACES = 10;

export function foundTwice(text: string, oldText: string, label: string): string {
  const lines = new Set<number>();
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(oldText); at >= 0; at = text.indexOf(oldText, at + 1)) {
    line += countLines(text.slice(counted, at)) - 1;
    counted = at;
    lines.add(line);
    if (lines.size > MOST_PLACES) break;
  }
  const shown = [...lines].slice(0, MOST_PLACES).join(', ') + (lines.size > MOST_PLACES ? ' …' : '');
  return `oldText of ${label} occurs more than once, at line${lines.size > 1 ? 's' : ''} ${shown}. Add surrounding lines to make it unique.`;
}

export const goneAfter = (taker: string, label: string): string =>
  `oldText of ${label} is no longer in the file after ${taker}: edits apply in order, each to the result of the previous ones. Write oldText as it is then, or combine both edits.`;
