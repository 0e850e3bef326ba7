/**
 * A client for the official suite's client scenarios, made of our hosting client: `client.ts URL`. It signs in where it must
 * (the page of the suite needs no user), calls each tool, and reads each resource and prompt. Fails if a request fails.
 */

import { type Fields, fieldsOf, itemsOf } from '../../src/core/json.ts';
import type { L10n } from '../../src/hosting/config/problems.ts';
import type { HostedClient } from '../../src/hosting/connection/client.ts';
import { SignInRequiredError } from '../../src/hosting/connection/negotiate.ts';
import { Authorization } from '../../src/hosting/remote/authorization.ts';
import { connectRemote } from '../../src/hosting/remote/connectRemote.ts';
import { secretStorage } from '../fakes/stores.ts';

/** Most times to sign in for one request. */
const MOST_SIGN_INS = 2;

/** What a scenario tells the client. */
interface Context {
  client_id?: string;
  client_secret?: string;
  toolCalls?: { name: string; arguments: Fields }[];
}

const server = { type: 'http', url: new URL(`${process.argv[2]}`), headers: {} } as const;
const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

const authorization = new Authorization({
  key: 'conformance',
  server: { ...server, ...(context.client_id && { clientId: context.client_id }) },
  ...(context.client_secret && { clientSecret: context.client_secret }),
  clientName: 'Workspace MCP',
  secrets: secretStorage(),
  openExternal: async (url) => void fetch(url).then((response) => response.text()),
  externalUrl: async (url) => url,
  l10n: { t: (text: string) => text } as L10n,
});

/** Signs in if a request needs it, and repeats it. */
async function withSignIn<T>(run: () => Promise<T>): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof SignInRequiredError) || count === MOST_SIGN_INS) throw error;
      await authorization.authorize(AbortSignal.timeout(60_000));
    }
  }
}

/** Accepts with the default values, and true for what has none. */
const elicited = async ({ requestedSchema }: Fields): Promise<object> => {
  const properties = Object.entries(fieldsOf(fieldsOf(requestedSchema).properties));
  const content = properties.map(([name, schema]) => [name, fieldsOf(schema).default ?? true]);
  return { action: 'accept', content: Object.fromEntries(content) };
};

const connect = async (): Promise<HostedClient> => {
  const { client } = await connectRemote(server, {
    clientInfo: { name: 'workspace-mcp', version: '1' },
    authorization,
    answers: {
      'roots/list': async () => ({ roots: [] }),
      'sampling/createMessage': async () => ({
        role: 'assistant',
        content: { type: 'text', text: '' },
        model: '',
      }),
      'elicitation/create': elicited,
    },
  });
  return client;
};

const client = await withSignIn(connect);
const request = async (method: string, params?: Fields): Promise<Fields> =>
  fieldsOf(await withSignIn(() => client.request(method, params)));

async function listed(method: string, entries: string): Promise<Fields[]> {
  return itemsOf((await request(method))[entries]).map(fieldsOf);
}

/** Values for the required parameters; a schema is given the first tool's. */
function argumentsFor({ inputSchema }: Fields, tools: readonly Fields[]): Fields {
  const { properties, required } = fieldsOf(inputSchema);
  const values = itemsOf(required).map((name) => {
    const { type } = fieldsOf(fieldsOf(properties)[String(name)]);
    return [name, type === 'object' ? tools[0]?.inputSchema : type === 'string' ? 'text' : 1];
  });
  return Object.fromEntries(values);
}

try {
  const tools = await listed('tools/list', 'tools');
  const calls = tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, tools) }));
  // The server of this scenario only lists its tool.
  const isListOnly = process.env.MCP_CONFORMANCE_SCENARIO === 'json-schema-ref-no-deref';
  for (const call of isListOnly ? [] : (context.toolCalls ?? calls)) await request('tools/call', call);
  if (client.capabilities.resources)
    for (const { uri } of await listed('resources/list', 'resources'))
      await request('resources/read', { uri });
  if (client.capabilities.prompts)
    for (const { name } of await listed('prompts/list', 'prompts')) await request('prompts/get', { name });
} finally {
  await client.close();
}
