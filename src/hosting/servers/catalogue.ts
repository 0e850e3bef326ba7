import { isSpecType, ProtocolError } from '@modelcontextprotocol/server';
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

/** What a server offers, as it last said. All objects are as it sent them. */
export interface Catalogue extends Record<ListName, readonly Fields[]> {
  /** Items that are left out, because they are not valid or their name comes twice. One of them would make agents refuse a whole list. */
  leftOut: readonly string[];
  serverInfo: Fields;
  capabilities: Fields;
  instructions?: string;
}

/** Most pages of one list: a server may send cursors without end. */
const MOST_PAGES = 1_000;
/** Milliseconds for a page. */
const PAGE_TIME = 60_000;

/** @throws as `HostedClient.request` does */
export async function readCatalogue(client: HostedClient): Promise<Catalogue> {
  const { serverInfo, capabilities, instructions } = client;
  const names = Object.keys(LISTS) as ListName[];
  const leftOut: string[] = [];
  const lists = await Promise.all(
    names.map(async (name): Promise<[ListName, Fields[]]> => {
      const items = await readList(client, name);
      const usable = usableItems(
        name,
        items.map((item) => completed(name, item)),
      );
      leftOut.push(
        ...items.filter((_, index) => !usable.has(index)).map((item) => `${name}: ${idOf(name, item)}`),
      );
      return [name, [...usable.values()]];
    }),
  );
  const read = Object.fromEntries(lists) as Record<ListName, Fields[]>;
  return { serverInfo, capabilities, ...(instructions !== undefined && { instructions }), ...read, leftOut };
}

const VALID = {
  tools: isSpecType.Tool,
  prompts: isSpecType.Prompt,
  resources: isSpecType.Resource,
  resourceTemplates: isSpecType.ResourceTemplate,
};

const IDS = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;

const idOf = (list: ListName, item: Fields): unknown => item[IDS[list]];

/** The valid items by their index, of the same name only the first. */
function usableItems(list: ListName, items: readonly Fields[]): Map<number, Fields> {
  const known = new Set<unknown>();
  const usable = new Map<number, Fields>();
  for (const [index, item] of items.entries()) {
    if (!VALID[list](item) || known.has(idOf(list, item))) continue;
    known.add(idOf(list, item));
    usable.set(index, item);
  }
  return usable;
}

/** Some servers leave out the schema of a tool without arguments, or the name of a resource. */
function completed(list: ListName, item: Fields): Fields {
  const [field, value] =
    list === 'tools' ? ['inputSchema', { type: 'object' }] : (['name', idOf(list, item)] as const);
  return item[field] === undefined ? { ...item, [field]: value } : item;
}

/** One list, all pages of it; empty if the server does not have it. @throws as `HostedClient.request` does */
export async function readList(client: HostedClient, name: ListName): Promise<Fields[]> {
  const capability = name === 'resourceTemplates' ? 'resources' : name;
  if (!client.capabilities[capability]) return [];
  const items: Fields[] = [];
  let cursor: unknown;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const result = await client
      .request(LISTS[name], cursor === undefined ? {} : { cursor }, { timeout: PAGE_TIME })
      .catch(withoutList);
    items.push(...itemsOf(fieldsOf(result)[name]).filter(isObject));
    const { nextCursor } = fieldsOf(result);
    if (typeof nextCursor !== 'string' || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return items;
}

/** Many servers with resources have no templates and answer that method with an error; the rest of the server is still of use. */
function withoutList(error: unknown): undefined {
  if (!(error instanceof ProtocolError)) throw error;
}
