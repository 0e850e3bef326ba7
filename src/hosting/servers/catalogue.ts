import { isSpecType } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { cutText } from '../../core/text/cutText.ts';
import type { HostedClient } from '../connection/client.ts';
import { listedSchema } from '../schemas/listedSchema.ts';
import { LeftOut } from './leftOut.ts';
import { LISTS, type ListName, MOST_BYTES, MOST_ITEMS, type ReadItem, readList } from './readList.ts';

/** What a server offers, as it last said. All objects are as it sent them. */
export interface Catalogue extends Record<ListName, readonly Fields[]> {
  /** Items that are left out, with the reasons. An invalid one would make agents refuse a whole list. */
  leftOut: readonly string[];
  instructions?: string;
}

/** Most UTF-16 units of the instructions. */
const LONGEST_INSTRUCTIONS = 10_000;

/** @throws as `HostedClient.request` does */
export async function readCatalogue(client: HostedClient): Promise<Catalogue> {
  const { instructions } = client;
  const all = await Promise.all(
    (Object.keys(LISTS) as ListName[]).map(async (name) => {
      const leftOut = new LeftOut(name);
      const tooLarge = (item: Fields) =>
        leftOut.add(idOf(name, item), 'has more than 256 KB or nests too deep');
      return { name, leftOut, items: await readList(client, name, tooLarge) };
    }),
  );
  const room = { bytes: MOST_BYTES };
  // One after the other: which items are left out must not depend on which list was read first.
  const lists = all.map(({ name, items, leftOut }) => [name, usable(name, items, room, leftOut)] as const);
  return {
    ...(instructions !== undefined && { instructions: cutText(instructions, LONGEST_INSTRUCTIONS) }),
    ...(Object.fromEntries(lists) as Record<ListName, Fields[]>),
    leftOut: all.flatMap(({ leftOut }) => leftOut.lines),
  };
}

/** The items that agents get. @param room for this list and the next ones */
function usable(
  list: ListName,
  items: readonly ReadItem[],
  room: { bytes: number },
  leftOut: LeftOut,
): Fields[] {
  const kept = new Map<unknown, Fields>();
  for (const { item: sent, bytes } of items) {
    const item = completed(list, sent);
    const id = idOf(list, item);
    const problem = kept.has(id)
      ? 'is named twice'
      : (problemOf(list, item) ?? problemOfRoom(kept.size, bytes, room));
    if (problem) leftOut.add(id, problem);
    else kept.set(id, item);
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
  const needsTask = fieldsOf(item.execution).taskSupport === 'required';
  if (needsTask) return 'needs MCP tasks, which are not supported';
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
