/** Sorted lists of texts: how they are searched and compared. */

/** The character after `/`: all that lies in a folder sorts before its name with this one. */
export const AFTER_SLASH = '0';

/** Index of the first one that is not before the given one, by binary search. */
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

/** Those that are in one of two lists and not in the other. */
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
