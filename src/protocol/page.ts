import * as z from 'zod';
import { invalidParams } from './errors.ts';

/** Params of every method that lists. */
export const cursorParams = z.object({ cursor: z.string().optional() });

/** Entries of one page of a list. Some agents hand a page to their model as it is: one of files has about 25 KB. */
const PAGE = 100;

/**
 * Cuts a list that is sorted by key into pages. The cursor names the last key handed out, not a position, so files that
 * come and go between two pages neither repeat nor hide the others.
 *
 * @param of what is listed: the cursor of another list would hide entries
 * @throws ProtocolError −32602 where the cursor is none of this list.
 */
export function page<T>(
  of: string,
  items: readonly T[],
  key: (item: T) => string,
  cursor: string | undefined,
  size = PAGE,
): { items: readonly T[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : firstAfter(items, key, decodeCursor(of, cursor));
  const slice = items.slice(start, start + size);
  const last = slice.at(-1);
  const more = start + size < items.length && last !== undefined;
  return more ? { items: slice, nextCursor: encodeCursor(of, key(last)) } : { items: slice };
}

/** Index of the first item whose key comes after the given one, by binary search. */
function firstAfter<T>(items: readonly T[], key: (item: T) => string, after: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (key(items[middle] as T) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

const encodeCursor = (of: string, key: string): string =>
  Buffer.from(JSON.stringify([of, key])).toString('base64url');

function decodeCursor(of: string, cursor: string): string {
  const [list, key] = partsOf(cursor) ?? [];
  if (list === of && key !== undefined) return key;
  const shown = `"${cursor.slice(0, 80)}"`;
  const problem = list === undefined ? `Unknown cursor ${shown}` : `The cursor ${shown} is not of ${of}`;
  throw invalidParams(`${problem}. Pass nextCursor of the page before, or none for the first page.`);
}

/** Undefined where it did not come from us. */
function partsOf(cursor: string): readonly [list: string, key: string] | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || parsed.length !== 2) return undefined;
    const [list, key] = parsed;
    return typeof list === 'string' && typeof key === 'string' ? [list, key] : undefined;
  } catch {
    return undefined;
  }
}
