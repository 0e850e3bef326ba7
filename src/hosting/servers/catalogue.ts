import { setImmediate as turn } from 'node:timers/promises';
import { isSpecType } from '@modelcontextprotocol/server';
import type { Fields } from '../../core/json.ts';
import { cutText, firstOf } from '../../core/text/cut.ts';
import { clock } from '../../util/clock.ts';
import type { HostedClient } from '../connection/client.ts';
import { listedSchema } from '../schemas/listedSchema.ts';
import {
  ITEM_BYTES,
  LISTS,
  LISTS_BYTES,
  type ListName,
  MOST_ITEMS,
  PAGE_TIME_MS,
  type ReadList,
  readList,
} from './readList.ts';

/** A list of which only a part is kept. */
interface CutList extends Pick<ReadList, 'sent' | 'hasMore'> {
  kept: number;
  why: string;
}

/** How much of it is kept, and why not all. What a server says in it is not escaped. */
export const cutListText = ({ kept, sent, hasMore, why }: CutList): string =>
  sent === 0
    ? `not read: ${why}`
    : `${kept} of ${hasMore ? 'more than ' : ''}${sent}, the rest is left out: ${why}`;

/** What a server offers, as it last said. All objects are as it sent them. */
export interface ServerCatalogue extends Record<ListName, readonly Fields[]> {
  /** Items that are left out, with the reasons. An invalid one would make agents refuse a whole list. */
  leftOut: readonly string[];
  /** The lists that are not complete for another reason; they are in `leftOut` too. */
  cut?: Partial<Record<ListName, CutList>>;
  instructions?: string;
}

/** Most UTF-16 units of the instructions. */
const INSTRUCTIONS_LENGTH = 10_000;

/** @throws as `HostedClient.request` does */
export async function readCatalogue(client: HostedClient): Promise<ServerCatalogue> {
  const { instructions } = client;
  const names = Object.keys(LISTS) as ListName[];
  const until = clock.now() + PAGE_TIME_MS;
  const read = await Promise.all(
    names.map(async (name) => [name, await readList(client, name, until)] as const),
  );
  const room = { bytes: LISTS_BYTES };
  const leftOut: string[] = [];
  const lists: Partial<Record<ListName, Fields[]>> = {};
  const cut: Partial<Record<ListName, CutList>> = {};
  // One after the other: which items are left out must not depend on which list was read first.
  for (const [name, { items, sent, hasMore, why: end }] of read) {
    const { kept, why = end } = await usable(name, items, room, leftOut);
    lists[name] = kept;
    if (why !== undefined) cut[name] = { kept: kept.length, sent, hasMore, why };
  }
  leftOut.push(...Object.entries(cut).map(([name, one]) => `${name}: ${cutListText(one)}`));
  return {
    ...(instructions !== undefined && { instructions: cutText(instructions, INSTRUCTIONS_LENGTH) }),
    ...(lists as Record<ListName, Fields[]>),
    leftOut,
    ...(Object.keys(cut).length > 0 && { cut }),
  };
}

/** Longest name of an item that is left out, in UTF-16 units. */
const NAME_LENGTH = 60;

/** Items that are judged in one turn of the event loop: others go on meanwhile. */
const ITEMS_A_TURN = 250;

/**
 * The items that agents get, and why there are no more, if there was no room for all.
 *
 * @param room for this list and the next ones. @param lines get what is wrong with others, one for each reason
 */
async function usable(
  list: ListName,
  items: ReadList['items'],
  room: { bytes: number },
  lines: string[],
): Promise<{ kept: Fields[]; why?: string | undefined }> {
  const kept = new Map<unknown, Fields>();
  const leftOut: { id: unknown; problem: string }[] = [];
  let why: string | undefined;
  for (const [index, { item: sent, bytes }] of items.entries()) {
    if (index % ITEMS_A_TURN === ITEMS_A_TURN - 1) await turn();
    const item = completed(list, sent);
    const id = item[ID_FIELDS[list]];
    const problem = bytes > ITEM_BYTES ? TOO_LARGE : kept.has(id) ? 'is named twice' : problemOf(list, item);
    why = problem === undefined ? fullBy(kept.size, bytes, room) : undefined;
    if (why !== undefined) break;
    if (problem !== undefined) leftOut.push({ id, problem });
    else kept.set(id, item);
  }
  for (const [problem, items] of Map.groupBy(leftOut, (one) => one.problem)) {
    const named = firstOf(items.map(({ id }) => cutText(`${id}`, NAME_LENGTH)));
    lines.push(`${list}: ${named} (${problem})`);
  }
  return { kept: [...kept.values()], why };
}

/** Why there is no room for one more, if there is none; then there is none for smaller ones either. */
function fullBy(count: number, bytes: number, room: { bytes: number }): string | undefined {
  if (count >= MOST_ITEMS) return `at most ${MOST_ITEMS} of a list are taken`;
  room.bytes = bytes > room.bytes ? 0 : room.bytes - bytes;
  return room.bytes > 0 ? undefined : 'at most 4 MB of all lists together are taken';
}

const TOO_LARGE = 'has more than 256 KB or nests too deep';

const VALIDATORS = {
  tools: isSpecType.Tool,
  prompts: isSpecType.Prompt,
  resources: isSpecType.Resource,
  resourceTemplates: isSpecType.ResourceTemplate,
};

const ID_FIELDS = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' };

/** Why agents cannot use it; undefined if they can. */
function problemOf(list: ListName, item: Fields): string | undefined {
  if (list !== 'tools') return VALIDATORS[list](item) ? undefined : 'is not valid';
  const { schema, problem } = listedSchema(item.inputSchema);
  return VALIDATORS.tools({ ...item, inputSchema: schema }) ? problem : 'is not valid';
}

/** Some servers leave out the schema of a tool without arguments, or the name of a resource. */
function completed(list: ListName, item: Fields): Fields {
  const [field, value] =
    list === 'tools' ? ['inputSchema', { type: 'object' }] : (['name', item[ID_FIELDS[list]]] as const);
  return item[field] === undefined ? { ...item, [field]: value } : item;
}
