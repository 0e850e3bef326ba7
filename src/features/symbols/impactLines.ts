/** The uses of changed symbols as text. */
import { keyOf, type OpenPlace } from '../../services/language/symbols/places.ts';
import type { Files } from '../../workspace/files.ts';
import { isInTest, listed, numbered } from './shown.ts';

export interface UseList {
  title: string;
  places: readonly OpenPlace[];
  areTests: boolean;
}

/** How many places there are. */
export const sizeOf = (lists: readonly UseList[]): number =>
  lists.reduce((sum, { places }) => sum + places.length, 0);

/** Lists without the places in tests, which are the last list; empty lists are left out. */
export function testsApart(lists: readonly Omit<UseList, 'areTests'>[]): UseList[] {
  const inTests = lists.flatMap(({ places }) => places.filter(isInTest));
  inTests.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const others = lists.map(({ title, places }) => ({
    title,
    places: places.filter((one) => !isInTest(one)),
    areTests: false,
  }));
  return [...others, { title: 'In tests', places: inTests, areTests: true }].filter(
    ({ places }) => places.length > 0,
  );
}

export interface Used {
  /** The symbol or name. */
  title: string;
  lists: readonly UseList[];
}

/** Each symbol with its uses. @param limit most places in all @throws UserError */
export async function linesOf(found: readonly Used[], limit: number, files: Files): Promise<string[]> {
  const rooms = shares(
    found.map(({ lists }) => sizeOf(lists)),
    limit,
  );
  const lines: string[] = [];
  for (const [index, { title: symbol, lists }] of found.entries()) {
    let left = rooms[index] ?? 0;
    lines.push(symbol);
    for (const { title, places, areTests } of lists) {
      lines.push(...(areTests ? numbered(title, places, left) : await listed(title, places, left, files)));
      left = Math.max(0, left - places.length);
    }
  }
  return lines;
}

/** How many of each are told, so that many of one take no room from the others. */
function shares(sizes: readonly number[], limit: number): number[] {
  const given: number[] = [];
  let [left, count] = [limit, sizes.length];
  for (const [size, index] of sizes.map((one, at) => [one, at] as const).sort(([a], [b]) => a - b)) {
    given[index] = Math.min(size, Math.ceil(left / count));
    left -= given[index];
    count--;
  }
  return given;
}
