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
  /** Items that are left out, each with the reason. An invalid one would make agents refuse a whole list. */
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
      const known = new Set<unknown>();
      const usable = items
        .map((item) => completed(name, item))
        .filter((item) => {
          const problem = known.has(idOf(name, item)) ? 'is named twice' : problemOf(name, item);
          if (problem) leftOut.push(`${name}: ${idOf(name, item)} (${problem})`);
          else known.add(idOf(name, item));
          return !problem;
        });
      return [name, usable];
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

/** Why agents cannot use it; undefined if they can. */
function problemOf(list: ListName, item: Fields): string | undefined {
  const needsTask = fieldsOf(item.execution).taskSupport === 'required';
  if (needsTask) return 'needs MCP tasks, which are not supported';
  return VALID[list](item) ? undefined : 'is not valid';
}

/** Some servers leave out the schema of a tool without arguments, or the name of a resource. */
function completed(list: ListName, item: Fields): Fields {
  const [field, value] =
    list === 'tools' ? ['inputSchema', { type: 'object' }] : (['name', idOf(list, item)] as const);
  return item[field] === undefined ? { ...item, [field]: value } : item;
}

/** One list, all pages of it; empty if the server does not have it. @throws as `HostedClient.request` does */
async function readList(client: HostedClient, name: ListName): Promise<Fields[]> {
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
