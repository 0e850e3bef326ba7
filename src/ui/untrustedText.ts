/** Makes text of agents and repositories safe to show. Pure. */
import { allVisible, cutText } from '../core/text/shown.ts';

/**
 * The text in one line. Control and bidirectional characters are shown as codes, and VS Code makes no icons or command links from
 * it.
 */
export const oneLine = (text: string, most = 200): string =>
  isolated(inert(allVisible(text.length > most ? `${cutText(text, most)}…` : text)));

/**
 * A name within a sentence, made safe as by {@link oneLine}. It is quoted, and quotation marks in it are replaced, so that it cannot pass as part of the
 * sentence. A long name is cut in the middle, because the start and end of a path identify it.
 */
export const quoted = (text: string, most = 120): string =>
  `“${isolated(inert(allVisible(cutMiddle(text, most))).replace(/[“”„‟«»「」『』〝〞＂]/g, '"'))}”`;

/** Prevents links and icons, also with text that follows. */
const inert = (text: string): string =>
  text
    // An open bracket would become part of the next link and change its text.
    .replace(/\[(?=[^\]]*$)/g, '［')
    // Messages turn [text](command:…) into links, list items turn $(name) into icons; a space prevents both.
    .replaceAll('](', '] (')
    .replaceAll('$(', '$ (');

/** Characters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Right-to-left text must not change the direction of the text beside it. */
const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2066${text}\u2069` : text);

function cutMiddle(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = Math.floor(most / 3);
  return `${characters.slice(0, head).join('')}…${characters.slice(head + 1 - most).join('')}`;
}
