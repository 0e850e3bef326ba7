import { lazyPattern } from './lazyPattern.ts';

/**
 * A name that is safe in a line of text: line breaks, control and direction characters and half surrogate pairs are escaped, as
 * `\u{a}`. Joiners stay, because the name must remain usable.
 */
export const visible = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/** The same for a text of several lines: newlines and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(/(?!\r\n|[\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/**
 * Invisible characters. Long runs of marks or initial jamo count too: they cover other text, and a browser does not break lines
 * within them.
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}(?<=\p{M}{5})|[\u1100-\u115f](?<=[\u1100-\u115f]{5})`;

/** Also spaces other than U+0020, which nobody expects in a line or a name. */
export const INVISIBLE_IN_LINE = `${INVISIBLE}|(?! )\\p{Zs}`;

const inLine = lazyPattern(() => new RegExp(INVISIBLE_IN_LINE, 'gu'));
const inText = lazyPattern(() => new RegExp(`(?!\\r\\n|[\\n\\t])(?:${INVISIBLE})`, 'gu'));

/** A name with all invisible characters escaped, for a user who decides by reading it. */
export const allVisible = (text: string): string => text.replace(inLine(), spelledOut);

/** The same for a text of several lines, such as instructions for a model. All kinds of spaces stay. */
export const allVisibleText = (text: string): string => text.replace(inText(), spelledOut);

/** @param character one character or surrogate pair */
export const spelledOut = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
