/** Sorted lists of the ends of URIs: how they are searched, changed and compared. */

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

/**
 * The list after files came and went: without what was looked at and all that lies in it, with what is there now. The same
 * list where nothing differs.
 *
 * @param looked at: files, or folders without a slash at the end. @param present sorted or not
 */
export function changed(
  tails: readonly string[],
  looked: readonly string[],
  present: readonly string[],
): readonly string[] {
  const there = new Set(present);
  const gone = new Set<string>();
  for (const tail of looked) {
    if (tails[firstFrom(tails, tail)] === tail && !there.has(tail)) gone.add(tail);
    const end = firstFrom(tails, `${tail}${AFTER_SLASH}`);
    for (let index = firstFrom(tails, `${tail}/`); index < end; index++) {
      const below = tails[index] as string;
      if (!there.has(below)) gone.add(below);
    }
  }
  const come = [...there].filter((tail) => tails[firstFrom(tails, tail)] !== tail);
  if (gone.size === 0 && come.length === 0) return tails;
  return merged(gone.size === 0 ? tails : tails.filter((tail) => !gone.has(tail)), come.sort());
}

function merged(tails: readonly string[], come: readonly string[]): string[] {
  const all: string[] = [];
  let index = 0;
  for (const tail of come) {
    const end = firstFrom(tails, tail, index);
    while (index < end) all.push(tails[index++] as string);
    all.push(tail);
  }
  while (index < tails.length) all.push(tails[index++] as string);
  return all;
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
