/** The first `length` UTF-16 units of a text, one less where that would cut a character in two: half of one is no valid JSON. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** A text with its middle left out where it has more UTF-16 units than `length`, no character cut in two. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const [start, end] = [cutText(text, half), text.slice(-half).replace(/^[\udc00-\udfff]/, '')];
  return `${start} […${text.length - start.length - end.length} characters…] ${end}`;
}
