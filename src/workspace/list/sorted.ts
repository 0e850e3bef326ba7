/** Search and comparison of sorted string lists. */

/** The character after `/`: everything in a folder sorts before the folder's name plus this character. */
export const AFTER_SLASH = '0';

/** Index of the first tail that is equal to or after the given one, by binary search. */
export function firstFrom(tails: readonly string[], tail: string, from = 0, to = tails.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tails[middle] as string) < tail) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Items that are in only one of two lists. */
export function differing(before: readonly string[], now: readonly string[]): string[] {
  if (before === now) return [];
  const found: string[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < now.length) {
    const [old, recent] = [before[left], now[right]];
    if (old === recent) {
      left++;
      right++;
    } else if (recent === undefined || (old !== undefined && old < recent)) {
      found.push(old as string);
      left++;
    } else {
      found.push(recent);
      right++;
    }
  }
  return found;
}
