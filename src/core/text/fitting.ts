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
