/** The first `length` UTF-16 units of a text, one less if that would split a surrogate pair: half a pair is not valid JSON. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** Cuts the middle of a text that has more than `length` UTF-16 units, without splitting surrogate pairs. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const [start, end] = [cutText(text, half), text.slice(-half).replace(/^[\udc00-\udfff]/, '')];
  return `${start} […${text.length - start.length - end.length} characters…] ${end}`;
}

/** A message of an error, at most 8,000 UTF-16 units: it quotes the wrong value, and an agent may send megabytes. */
export const cutMessage = (message: string): string => cutMiddle(message, 8_000);
