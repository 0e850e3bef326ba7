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

/** A number with its noun, such as "1 file" and "2 files". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Names of a list that are named. */
const MOST_NAMED = 5;

/** The first names of a list, and how many more there are. */
export const firstOf = (names: readonly string[], most = MOST_NAMED): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;

/**
 * How many of the first items fit into an answer: at least one, at most `limit`.
 *
 * @param most UTF-16 units for all items
 * @param sizeOf UTF-16 units of one item
 */
export function fitting<T>(
  items: readonly T[],
  most: number,
  sizeOf: (item: T) => number,
  limit = items.length,
): number {
  let left = most;
  let count = 0;
  for (const item of items) {
    left -= sizeOf(item);
    if (count >= limit || (count > 0 && left < 0)) break;
    count++;
  }
  return count;
}

/** The first lines that fit into an answer: at least one. @param most UTF-16 units of all lines with their ends */
export const fittingLines = (lines: readonly string[], most: number): string[] =>
  lines.slice(
    0,
    fitting(lines, most, (line) => line.length + 1),
  );

/** The first `count` items of several lists, list by list. */
export function firstOfAll<T>(lists: readonly (readonly T[])[], count: number): T[][] {
  let left = count;
  return lists.map((list) => {
    const first = list.slice(0, left);
    left -= first.length;
    return first;
  });
}
