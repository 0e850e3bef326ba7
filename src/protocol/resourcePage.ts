import { createHash } from 'node:crypto';
import { decodeCursor, encodeCursor, PAGE } from '../core/page.ts';
import type { Listed, ResourceList } from '../features/resource.ts';
import { mergeSorted } from '../util/mergeSorted.ts';

const LIST = 'resources';
/** Characters of the mark of a resource in a cursor: 66 bits. */
const MARK = 11;

/**
 * One page of all resources, sorted by URI, except that the leading ones come first. The cursor marks them, so that later
 * pages leave them out. A resource that exists from the first page to the last is listed exactly once, even if others are
 * created or deleted, or the leading ones change meanwhile.
 *
 * @throws ProtocolError −32602 if the cursor is not from this list
 */
export function resourcePage(
  lists: readonly (readonly Listed[] | ResourceList)[],
  cursor: string | undefined,
): { items: readonly Listed[]; nextCursor?: string } {
  const sources = lists.map((list) => ('after' in list ? list : fixed(list)));
  const leading = cursor === undefined ? sources.flatMap((list) => list.leading ?? []).slice(0, PAGE) : [];
  const [start, marks] = cursor === undefined ? ['', ''] : begun(cursor);
  const led = new Set([...marksIn(marks), ...leading.map(({ uri }) => markOf(uri))]);
  const items = [...leading];
  let last = start;
  for (const item of mergeSorted(
    sources.map((list) => list.after(start)),
    ({ uri }) => uri,
  )) {
    if (led.has(markOf(item.uri))) continue;
    if (items.length >= PAGE) return { items, nextCursor: encodeCursor(LIST, last, [...led].join('')) };
    items.push(item);
    last = item.uri;
  }
  return { items };
}

/** @param list sorted by URI */
const fixed = (list: readonly Listed[]): ResourceList => ({
  after: (start) => list.filter(({ uri }) => uri > start),
});

function begun(cursor: string): [start: string, marks: string] {
  const [start = '', marks = ''] = decodeCursor(LIST, cursor, 2);
  return [start, marks];
}

const markOf = (uri: string): string => createHash('sha256').update(uri).digest('base64url').slice(0, MARK);

/** At most a page of marks. */
const marksIn = (marks: string): string[] =>
  Array.from({ length: Math.min(PAGE, Math.floor(marks.length / MARK)) }, (_, index) =>
    marks.slice(index * MARK, (index + 1) * MARK),
  );
