import { ProtocolError } from '@modelcontextprotocol/server';
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
export const MOST_BYTES = 4 * 1024 * 1024;
/** Most bytes of an item, and most levels of its nesting. */
export const LONGEST_ITEM = 256 * 1024;
const MOST_LEVELS = 200;

/** Most pages of one list: a server may send cursors without end. */
const MOST_PAGES = 1_000;
/** Milliseconds for a page. */
const PAGE_TIME = 60_000;

/** An item as the server sent it. */
export interface ReadItem {
  item: Fields;
  /** Of its JSON; infinite if it nests too deep for that. */
  bytes: number;
}

/**
 * One list, page by page until it has more than may be kept; empty if the server does not have it.
 *
 * @throws as `HostedClient.request` does
 */
export async function readList(client: HostedClient, name: ListName): Promise<ReadItem[]> {
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
      read.push({ item, bytes });
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

/** How many times longer than the last run the pause after it is, and the least, in milliseconds. */
const REST = 20;
const LEAST = 250;

/**
 * Runs something at once when it is called, but in a twentieth of the time at most, however often that is. Calls during a run or the
 * pause after it lead to one more run.
 *
 * @param run must not reject
 */
export function rested(run: () => Promise<void>): { (): void; dispose(): void } {
  let [isBusy, isWanted, isOver] = [false, false, false];
  let cancel = () => {};
  const call = async () => {
    isWanted = true;
    if (isBusy || isOver) return;
    [isBusy, isWanted] = [true, false];
    const start = clock.now();
    await run();
    if (isOver) return;
    cancel = clock.after(Math.max(LEAST, REST * (clock.now() - start)), () => {
      isBusy = false;
      if (isWanted) void call();
    });
  };
  const start = () => void call();
  start.dispose = () => {
    isOver = true;
    cancel();
  };
  return start;
}
