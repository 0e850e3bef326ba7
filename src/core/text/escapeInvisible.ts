/**
 * A name as lines of text may hold it: what would begin a line of its own, turn the direction of writing, or is half a
 * character is spelled out, as `\u{a}`. What joins characters stays: the name has to be usable as it is written.
 */
export const visible = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/** The same for a text of several lines: newlines and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(/(?!\r\n|[\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spelledOut);

/** The same with every character that shows nothing of itself: for the person who decides by what they read. */
export const allVisible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e007f}]/gu, spelledOut);

/** The same for a text of several lines, such as one that a model is to follow. */
export const allVisibleText = (text: string): string =>
  text.replace(/(?!\r\n|[\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e007f}]/gu, spelledOut);

const spelledOut = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
