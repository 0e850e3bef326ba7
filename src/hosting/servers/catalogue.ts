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

/** What a server offers, as it last said. All objects are as it sent them. */
export interface Catalogue extends Record<ListName, readonly Fields[]> {
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
  const lists = await Promise.all(
    names.map(async (name): Promise<[ListName, Fields[]]> => [name, await readList(client, name)]),
  );
  const read = Object.fromEntries(lists) as Record<ListName, Fields[]>;
  return { serverInfo, capabilities, ...(instructions !== undefined && { instructions }), ...read };
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
