import { ProtocolError } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import type { HostedClient } from '../connection/client.ts';

/** The lists of a server, by the names of their fields in results. */
export const LISTS = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;

export type ListName = keyof typeof LISTS;

/** Most items of a list, and most bytes of JSON of all lists of a server together. */
export const MOST_ITEMS = 10_000;
export const MOST_BYTES = 4 * 1024 * 1024;
/** Most bytes of an item, and most levels of its nesting. */
const LONGEST_ITEM = 256 * 1024;
const MOST_LEVELS = 200;

/** Most pages of one list: a server may send cursors without end. */
const MOST_PAGES = 1_000;
/** Milliseconds for a page. */
const PAGE_TIME = 60_000;

/** An item as the server sent it. */
export interface ReadItem {
  item: Fields;
  /** Of its JSON. */
  bytes: number;
}

/**
 * One list, page by page until it has more than may be kept; empty if the server does not have it.
 *
 * @param tooLarge gets those that have more than 256 KB or nest too deep
 * @throws as `HostedClient.request` does
 */
export async function readList(
  client: HostedClient,
  name: ListName,
  tooLarge: (item: Fields) => void,
): Promise<ReadItem[]> {
  const capability = name === 'resourceTemplates' ? 'resources' : name;
  const read: ReadItem[] = [];
  if (!client.capabilities[capability]) return read;
  let room = MOST_BYTES;
  let cursor: unknown;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const result = await client
      .request(LISTS[name], cursor === undefined ? {} : { cursor }, { timeout: PAGE_TIME })
      .catch(withoutList);
    for (const item of itemsOf(fieldsOf(result)[name])) {
      if (room < 0 || read.length > MOST_ITEMS) return read;
      if (!isObject(item)) continue;
      const bytes = bytesOf(item);
      room -= Math.min(bytes, LONGEST_ITEM);
      if (bytes > LONGEST_ITEM) tooLarge(item);
      else read.push({ item, bytes });
    }
    const { nextCursor } = fieldsOf(result);
    // Some servers end their lists with an empty cursor.
    if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return read;
}

/** Of its JSON; infinite if it nests too deep for that. */
const bytesOf = (item: Fields): number =>
  isDeeper(item, MOST_LEVELS) ? Number.POSITIVE_INFINITY : Buffer.byteLength(JSON.stringify(item));

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));

/** Many servers with resources have no templates and answer that method with an error; the rest of the server is still of use. */
function withoutList(error: unknown): undefined {
  if (!(error instanceof ProtocolError)) throw error;
}
