import { lazyPattern } from './lazyPattern.ts';

/**
 * A name that is safe in a line of text: line breaks, control and direction characters and half surrogate pairs are escaped, as
 * `\u{a}`. Joiners stay, because the name must remain usable.
 */
export const visible = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/** A text of several lines, made safe like a name; newlines and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(/(?!\r\n|[\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/**
 * Invisible characters. Long runs of marks or initial jamo count too: they cover other text, and a browser does not break lines
 * within them.
 */
const invisible = (): string =>
  String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}(?<=\p{M}{5})|[\u1100-\u115f](?<=[\u1100-\u115f]{5})`;

/** Invisible characters, and spaces other than U+0020, which nobody expects in a line or a name. */
export const invisibleInLine = (): string => `${invisible()}|(?! )\\p{Zs}`;

const inLine = /* @__PURE__ */ lazyPattern(() => new RegExp(invisibleInLine(), 'gu'));
const inText = /* @__PURE__ */ lazyPattern(() => new RegExp(`(?!\\r\\n|[\\n\\t])(?:${invisible()})`, 'gu'));

/** A name with all invisible characters escaped, for a user who decides by reading it. */
export const allVisible = (text: string): string => text.replace(inLine(), spelledOut);

/** A text of several lines, such as instructions for a model, with all invisible characters escaped. All spaces stay. */
export const allVisibleText = (text: string): string => text.replace(inText(), spelledOut);

/** @param character one character or surrogate pair */
export const spelledOut = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/**
 * Control and bidirectional characters, tags, fillers, zero-width characters, and other spaces than U+0020. Joiners are not
 * included: many scripts and emoji need them. No flag `u`, which is slower, because every text that is read is searched.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
  /[\0-\x08\v\f\x0e-\x1f\x7f-\xa0\xad\u061c\u115f\u1160\u1680\u17b4\u17b5\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0]|\r(?!\n)|\udb40[\udc00-\udc7f]/;

/** Most texts have only these, which is checked in half of the time. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

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
    named.push(`${codeOf(character.codePointAt(0))} in line ${line}`);
  }
  const more = count > NAMED ? `, … (${count} in all)` : '';
  return `Invisible characters: ${named.join(', ')}${more}; the text contains them unchanged.`;
}

/** A code point as Unicode writes it: `U+200B`. */
export const codeOf = (code = 0): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * How a text looks: the same for other spaces, quotes and dashes, and for composed letters and those that are not. Compatibility
 * decomposition (Unicode, UAX #15) makes all spaces one, and takes letters apart.
 */
export function lookOf(text: string): string {
  if (/^[ -~]*$/.test(text)) return text; // nearly all names
  return text
    .normalize('NFKD')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
}
