import { METHOD_NOT_FOUND, ProtocolError } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { clock } from '../../util/clock.ts';
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
export const LISTS_BYTES = 4 * 1024 * 1024;
/** Most bytes of an item, and most levels of its nesting. */
export const ITEM_BYTES = 256 * 1024;
const MOST_NESTED_LEVELS = 200;

/** Most pages of one list: a server may send cursors without end. */
const MOST_PAGES = 1_000;
/** Milliseconds for a page, and after which no further page is asked for: until then the server is starting. */
export const PAGE_TIME_MS = 60_000;

interface ReadItem {
  item: Fields;
  /** The size of its JSON; infinite if it nests too deep for that. */
  bytes: number;
}

/** A list, or its beginning. */
export interface ReadList {
  items: ReadItem[];
  /** How many the server has sent, also those that were not looked at. */
  sent: number;
  /** Whether there are further pages. */
  hasMore: boolean;
  /** Why not all was read. What there is no room for is known later. */
  why?: string;
}

/**
 * One list, page by page until it has more than may be kept; empty if the server does not have it.
 *
 * @param until no further page is asked for then, by the clock
 * @throws as `HostedClient.request` does
 */
export async function readList(client: HostedClient, name: ListName, until: number): Promise<ReadList> {
  const read: ReadList = { items: [], sent: 0, hasMore: false };
  if (!client.capabilities[name === 'resourceTemplates' ? 'resources' : name]) return read;
  let bytesLeft = LISTS_BYTES;
  // One more than there is room for is taken: then it is known that some are left out.
  const isFull = () => bytesLeft < 0 || read.items.length > MOST_ITEMS;
  for (let pages = 1, params: Fields = {}; ; pages++) {
    const page = await readPage(client, name, params);
    if (page.why !== undefined) return { ...read, why: page.why };
    read.sent += page.items.length;
    for (const item of page.items.filter(isObject)) {
      if (isFull()) break;
      const bytes = bytesOf(item);
      bytesLeft -= Math.min(bytes, ITEM_BYTES);
      read.items.push({ item, bytes });
    }
    read.hasMore = page.cursor !== undefined && page.cursor !== params.cursor;
    if (!read.hasMore || isFull()) return read;
    if (pages === MOST_PAGES) return { ...read, why: `at most ${MOST_PAGES} pages of a list are read` };
    if (clock.now() > until) return { ...read, why: `reading took more than ${PAGE_TIME_MS / 1000} s` };
    params = { cursor: page.cursor };
  }
}

/** The rest of a server is still of use if it answers with an error. */
async function readPage(
  client: HostedClient,
  name: ListName,
  params: Fields,
): Promise<{ items: readonly unknown[]; cursor?: string; why?: string }> {
  try {
    const result = fieldsOf(await client.request(LISTS[name], params, { timeout: PAGE_TIME_MS }));
    const { [name]: items, nextCursor } = result;
    // Some servers end their lists with an empty cursor.
    const hasCursor = typeof nextCursor === 'string' && nextCursor !== '';
    return { items: itemsOf(items), ...(hasCursor && { cursor: nextCursor }) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    // Many servers with resources have no templates, and answer that method with any error.
    const isMissing = name === 'resourceTemplates' || error.code === METHOD_NOT_FOUND;
    return { items: [], ...(!isMissing && { why: error.message }) };
  }
}

/** The size of an item, as in `ReadItem`. */
const bytesOf = (item: Fields): number =>
  isDeeper(item, MOST_NESTED_LEVELS) ? Number.POSITIVE_INFINITY : Buffer.byteLength(JSON.stringify(item));

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));
