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
 * @throws ProtocolError −32602 where the cursor is none of ours.
 */
export function page<T>(
  items: readonly T[],
  key: (item: T) => string,
  cursor: string | undefined,
  size = PAGE,
): { items: readonly T[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : firstAfter(items, key, decodeCursor(cursor));
  const slice = items.slice(start, start + size);
  const last = slice.at(-1);
  const more = start + size < items.length && last !== undefined;
  return more ? { items: slice, nextCursor: encodeCursor(key(last)) } : { items: slice };
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

const encodeCursor = (key: string): string => Buffer.from(JSON.stringify([key])).toString('base64url');

function decodeCursor(cursor: string): string {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parsed) && parsed.length === 1 && typeof parsed[0] === 'string') return parsed[0];
  } catch {
    // falls through: whatever it is, it did not come from us
  }
  throw invalidParams(
    `Unknown cursor "${cursor.slice(0, 80)}". Pass nextCursor of the page before, or none for the first page.`,
  );
}
