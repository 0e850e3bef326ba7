/**
 * Control and bidirectional characters, tags, fillers, zero-width characters, and other spaces than U+0020. Joiners are not
 * included: many scripts and emoji need them. No flag `u`, which is slower, because every text that is read is searched.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
  /[\0-\x08\v\f\x0e-\x1f\x7f-\xa0\xad\u061c\u115f\u1160\u1680\u17b4\u17b5\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0]|\r(?!\n)|\udb40[\udc00-\udc7f]/;

/** Most texts have only these, which is checked in half of the time. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Most characters that are listed. */
const NAMED = 5;

/**
 * A sentence that lists the invisible characters of a text; undefined if there are none.
 *
 * @param firstLine number of the text's first line (1-based)
 */
export function noteOnHidden(text: string, firstLine = 1): string | undefined {
  if (PLAIN.test(text) || !HIDDEN.test(text)) return undefined;
  const named: string[] = [];
  let count = 0;
  let line = firstLine;
  let counted = 0;
  for (const { 0: character, index } of text.matchAll(new RegExp(HIDDEN, 'g'))) {
    if (++count > NAMED) continue;
    for (let at = text.indexOf('\n', counted); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
    counted = index;
    named.push(`${codeOf(character)} in line ${line}`);
  }
  const more = count > NAMED ? `, … (${count} in all)` : '';
  return `Invisible characters: ${named.join(', ')}${more}; the text contains them unchanged.`;
}

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
