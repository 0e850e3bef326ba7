/**
 * A name as lines of text may hold it: what would begin a line of its own, turn the direction of writing, or is half a
 * character is spelled out, as `\u{a}`. What joins characters stays: the name has to be usable as it is written.
 */
export const visible = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/** The same for a text of several lines: newlines and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(/(?!\r\n|[\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/**
 * What shows nothing of itself. So are many marks, or initial jamo, in a row: they cover other text, and a browser does not break a
 * line within them.
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}(?<=\p{M}{5})|[\u1100-\u115f](?<=[\u1100-\u115f]{5})`;

/** The same, and what looks like a space or the end of a line and is neither: in a line or a name, nobody expects it. */
export const INVISIBLE_IN_LINE = `${INVISIBLE}|(?! )\\p{Zs}`;

const IN_LINE = new RegExp(INVISIBLE_IN_LINE, 'gu');
const IN_TEXT = new RegExp(`(?!\\r\\n|[\\n\\t])(?:${INVISIBLE})`, 'gu');

/** A name with every such character spelled out: for the person who decides by what they read. */
export const allVisible = (text: string): string => text.replace(IN_LINE, spelledOut);

/** The same for a text of several lines, such as one that a model is to follow; its spaces may be of any kind. */
export const allVisibleText = (text: string): string => text.replace(IN_TEXT, spelledOut);

/** @param character one, surrogate pairs included */
export const spelledOut = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
