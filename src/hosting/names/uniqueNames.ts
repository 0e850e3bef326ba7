import { fingerprint } from '../fingerprint.ts';

/** Something to be named. */
export interface Nameable {
  /** Tells it from all others. Two with the same wanted name are kept apart by it. */
  id: string;
  /** The name that it gets if nothing else wants the same. */
  wanted: string;
  /** Whether `wanted` says all: it was not shortened, and no character was replaced. */
  isExact: boolean;
}

/** Hexadecimal digits of a hash in a name that was cut or is wanted twice. */
const DIGITS = 4;

/**
 * A name of at most `most` UTF-16 units for each id, which does not depend on the order of the items. An exact name stays as it is, unless
 * another item has the same. A name that is too long is always cut and gets a hash, so that items which come later do not change it.
 *
 * @param separator before the hash
 */
export function uniqueNames(
  items: readonly Nameable[],
  most: number,
  separator: string,
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const take = (id: string, name: string) => {
    names.set(id, name);
    taken.add(name);
  };
  const groups = Map.groupBy(items, ({ wanted }) => wanted);
  const hashed: Nameable[] = [];
  for (const [wanted, group] of groups) {
    const entitled = group.length === 1 ? group : group.filter(({ isExact }) => isExact);
    const isUsable = entitled.length === 1 && wanted.length > 0 && wanted.length <= most;
    for (const item of group)
      if (isUsable && item === entitled[0]) take(item.id, wanted);
      else hashed.push(item);
  }
  for (const item of hashed.sort((a, b) => (a.id < b.id ? -1 : 1)))
    take(item.id, withHash(item, most, separator, taken));
  return new Map(items.map(({ id }) => [id, names.get(id) ?? '']));
}

/** Two items rarely have the same digits; the second then takes those of another hash. */
function withHash({ id, wanted }: Nameable, most: number, separator: string, taken: Set<string>): string {
  const start = wanted.slice(0, most - DIGITS - separator.length).replace(/[-_]+$/, '');
  for (let round = 0; ; round++) {
    const name = `${start}${separator}${fingerprint([id, round]).slice(0, DIGITS)}`;
    if (!taken.has(name)) return name;
  }
}
