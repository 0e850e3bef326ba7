import { UserError } from './errors.ts';
import { itemsOf, parsedJson } from './json.ts';
import { fitting } from './text/cut.ts';

/** Entries per page. Some agents pass a page to their model unchanged; a page of files has about 25 KB. */
export const PAGE = 100;

/** UTF-16 units of a page of tools, prompts or templates, as JSON. Many clients read only the first page, so it has all but huge lists. */
const LONGEST_PAGE = 256 * 1024;

/** A page of a list of which clients need all: an answer of MCP, with the items under the list's name. @param key by which items are sorted */
export function wholePage<T>(
  of: string,
  items: readonly T[],
  key: (item: T) => string,
  cursor: string | undefined,
): Record<string, unknown> {
  const size = (rest: readonly T[]) => fitting(rest, LONGEST_PAGE, (item) => JSON.stringify(item).length);
  const { items: shown, nextCursor } = page(of, items, key, cursor, size);
  return { [of]: shown, ...(nextCursor && { nextCursor }) };
}

/**
 * Cuts a list that is sorted by key into pages. The cursor contains the last key, not a position, so files that are added or
 * deleted between two pages neither repeat nor hide others.
 *
 * @param of name of the list, because a cursor of another list would hide entries
 * @param size entries of the page, or a function of the remaining entries that returns it
 * @throws UserError if the cursor does not belong to this list
 */
export function page<T>(
  of: string,
  items: readonly T[],
  key: (item: T) => string,
  cursor: string | undefined,
  size: number | ((rest: readonly T[]) => number) = PAGE,
): { items: readonly T[]; nextCursor?: string } {
  const after = cursor === undefined ? undefined : (decodeCursor(of, cursor, 1)[0] as string);
  const rest = after === undefined ? items : items.filter((item) => key(item) > after);
  const slice = rest.slice(0, typeof size === 'number' ? size : size(rest));
  const last = slice.at(-1);
  const more = rest.length > slice.length && last !== undefined;
  return more ? { items: slice, nextCursor: encodeCursor(of, key(last)) } : { items: slice };
}

/** @param place the last key, and anything else that the next page needs */
export const encodeCursor = (of: string, ...place: string[]): string =>
  Buffer.from(JSON.stringify([of, ...place])).toString('base64url');

/** The place in a cursor. @param parts their expected number. @throws UserError if the cursor does not belong to this list */
export function decodeCursor(of: string, cursor: string, parts: number): string[] {
  const texts = itemsOf(parsedJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  const [list, ...place] = texts.every((part) => typeof part === 'string') ? texts : [];
  if (list === of && place.length === parts) return place;
  const shown = `"${cursor.slice(0, 80)}"`;
  const isOther = list !== undefined && list !== of && place.length > 0;
  const problem = isOther ? `The cursor ${shown} does not belong to ${of}` : `Unknown cursor ${shown}`;
  throw new UserError(`${problem}. Pass the nextCursor of the previous page, or none for the first page.`);
}

export function* mergeSorted<T>(lists: readonly Iterable<T>[], key: (item: T) => string): Generator<T> {
  const iterators = lists.map((list) => list[Symbol.iterator]());
  const heads = iterators.map((iterator) => iterator.next());
  for (;;) {
    let first = -1;
    for (const [index, head] of heads.entries()) {
      const best = heads[first];
      if (!head.done && (!best || best.done || key(head.value) < key(best.value))) first = index;
    }
    const [head, iterator] = [heads[first], iterators[first]];
    if (!head || head.done || !iterator) return;
    yield head.value;
    heads[first] = iterator.next();
  }
}
