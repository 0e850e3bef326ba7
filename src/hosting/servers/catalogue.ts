import { isSpecType, ProtocolError } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { cutText } from '../../core/messages.ts';
import type { HostedClient } from '../connection/client.ts';
import { listedSchema } from '../schemas/listedSchema.ts';

/** The lists of a server, by the names of their fields in results. */
const LISTS = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;

type ListName = keyof typeof LISTS;

/** Most items of a list, and most bytes of JSON of all lists of a server together. */
const MOST_ITEMS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** Most bytes of an item, and most levels of its nesting. */
const LONGEST_ITEM = 256 * 1024;
const MOST_LEVELS = 200;

/** Most pages of one list: a server may send cursors without end. */
const MOST_PAGES = 1_000;
/** Milliseconds for a page. */
const PAGE_TIME = 60_000;

interface ReadItem {
  item: Fields;
  /** Of its JSON; infinite if it nests too deep for that. */
  bytes: number;
}

/**
 * One list, page by page until it has more than may be kept; empty if the server does not have it.
 *
 * @throws as `HostedClient.request` does
 */
async function readList(client: HostedClient, name: ListName): Promise<ReadItem[]> {
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

/** What a server offers, as it last said. All objects are as it sent them. */
export interface ServerCatalogue extends Record<ListName, readonly Fields[]> {
  /** Items that are left out, with the reasons. An invalid one would make agents refuse a whole list. */
  leftOut: readonly string[];
  instructions?: string;
}

/** Most UTF-16 units of the instructions. */
const LONGEST_INSTRUCTIONS = 10_000;

/** @throws as `HostedClient.request` does */
export async function readCatalogue(client: HostedClient): Promise<ServerCatalogue> {
  const { instructions } = client;
  const names = Object.keys(LISTS) as ListName[];
  const read = await Promise.all(names.map((name) => readList(client, name)));
  const room = { bytes: MOST_BYTES };
  const leftOut: string[] = [];
  // One after the other: which items are left out must not depend on which list was read first.
  const lists = names.map((name, index) => [name, usable(name, read[index] ?? [], room, leftOut)] as const);
  return {
    ...(instructions !== undefined && { instructions: cutText(instructions, LONGEST_INSTRUCTIONS) }),
    ...(Object.fromEntries(lists) as Record<ListName, Fields[]>),
    leftOut,
  };
}

/** Most items that are named for one reason, and most UTF-16 units of such a name. */
const MOST_NAMED = 5;
const LONGEST_NAME = 60;

/** The items that agents get. @param room for this list and the next ones. @param lines get what is left out, one for each reason */
function usable(
  list: ListName,
  items: readonly ReadItem[],
  room: { bytes: number },
  lines: string[],
): Fields[] {
  const kept = new Map<unknown, Fields>();
  const leftOut: { id: unknown; problem: string }[] = [];
  for (const { item: sent, bytes } of items) {
    const item = completed(list, sent);
    const id = idOf(list, item);
    const problem =
      (bytes > LONGEST_ITEM ? 'has more than 256 KB or nests too deep' : undefined) ??
      (kept.has(id) ? 'is named twice' : undefined) ??
      problemOf(list, item) ??
      problemOfRoom(kept.size, bytes, room);
    if (problem) leftOut.push({ id, problem });
    else kept.set(id, item);
  }
  for (const [problem, items] of Map.groupBy(leftOut, (one) => one.problem)) {
    const named = items.slice(0, MOST_NAMED).map(({ id }) => cutText(`${id}`, LONGEST_NAME));
    const more = items.length > MOST_NAMED ? ` and ${items.length - MOST_NAMED} more` : '';
    lines.push(`${list}: ${named.join(', ')}${more} (${problem})`);
  }
  return [...kept.values()];
}

/** Why there is no room for one more, if there is none; then there is none for smaller ones either. */
function problemOfRoom(count: number, bytes: number, room: { bytes: number }): string | undefined {
  if (count >= MOST_ITEMS) return `is over ${MOST_ITEMS} items, and later ones are not read`;
  room.bytes = bytes > room.bytes ? 0 : room.bytes - bytes;
  return room.bytes > 0 ? undefined : 'is over 4 MB of all lists together, and later ones are not read';
}

const VALID = {
  tools: isSpecType.Tool,
  prompts: isSpecType.Prompt,
  resources: isSpecType.Resource,
  resourceTemplates: isSpecType.ResourceTemplate,
};

const IDS = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;

const idOf = (list: ListName, item: Fields): unknown => item[IDS[list]];

/** Why agents cannot use it; undefined if they can. */
function problemOf(list: ListName, item: Fields): string | undefined {
  if (fieldsOf(item.execution).taskSupport === 'required') return 'needs MCP tasks, which are not supported';
  if (list !== 'tools') return VALID[list](item) ? undefined : 'is not valid';
  const { schema, problem } = listedSchema(item.inputSchema);
  return VALID.tools({ ...item, inputSchema: schema }) ? problem : 'is not valid';
}

/** Some servers leave out the schema of a tool without arguments, or the name of a resource. */
function completed(list: ListName, item: Fields): Fields {
  const [field, value] =
    list === 'tools' ? ['inputSchema', { type: 'object' }] : (['name', idOf(list, item)] as const);
  return item[field] === undefined ? { ...item, [field]: value } : item;
}
