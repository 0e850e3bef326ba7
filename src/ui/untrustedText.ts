/** Text that comes from an agent, or from a repository, fit to be shown anywhere. Pure. */
import { cutText } from '../core/text/cutText.ts';
import { allVisible } from '../core/text/escapeInvisible.ts';

/**
 * In one line, with control and bidirectional characters made visible, and without what VS Code would turn into an icon or
 * a link that runs a command.
 */
export const oneLine = (text: string, most = 200): string =>
  isolated(inert(allVisible(text.length > most ? `${cutText(text, most)}…` : text)));

/**
 * The same for a name that stands among our own words: in quotation marks, which it has none of itself, so that it cannot
 * read on as if we said it. A long one is cut in the middle: a path begins and ends with what tells it from others.
 */
export const quoted = (text: string, most = 120): string =>
  `“${isolated(inert(allVisible(cutMiddle(text, most))).replace(/[“”„‟«»「」『』〝〞＂]/g, '"'))}”`;

/** Neither a link nor an icon, nor part of one that follows. */
const inert = (text: string): string =>
  text
    // One left open would become part of the next link, and change what that says.
    .replace(/\[(?=[^\]]*$)/g, '［')
    // Messages make links of [text](command:…), items of lists icons of $(name): a space in between keeps them text.
    .replaceAll('](', '] (')
    .replaceAll('$(', '$ (');

/** Characters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What is written from right to left must not turn around what stands beside it. */
const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2066${text}\u2069` : text);

function cutMiddle(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = Math.floor(most / 3);
  return `${characters.slice(0, head).join('')}…${characters.slice(head + 1 - most).join('')}`;
}
