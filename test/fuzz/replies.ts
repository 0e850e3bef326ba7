/** Whether what the server sends is JSON-RPC 2.0, and fits the schema that MCP has for it. */
import assert from 'node:assert/strict';
import { specTypeSchemas } from '@modelcontextprotocol/client';
import { ANY_VERSION, isObject, type Owed } from './oracle.ts';

// biome-ignore lint/suspicious/noExplicitAny: what comes is what the tests are about
export type Message = any;

type Name = keyof typeof specTypeSchemas;

const RESULTS: Record<string, Name> = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'logging/setLevel': 'EmptyResult',
  'roots/list': 'ListRootsResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
};

/** What 2026-07-28 has no more, and what it has more than the others. */
const OLDER = /^(initialize|ping|resources\/(un)?subscribe|logging\/setLevel|roots\/list)$/;
const NEWER = /^(server\/discover|subscriptions\/listen)$/;
const CACHED = /^(server\/discover|(tools|prompts|resources|resources\/templates)\/list|resources\/read)$/;

/** The codes of docs/protocol.md, without −32603: that is a fault of ours. */
const CODES = [-32700, -32600, -32601, -32602, -32002, -32000, -32022, -32021];

const LONGEST_MESSAGE = 10_000;

/** Why a reply is not what is owed; undefined where it is. */
export function faultOf(reply: Message, owed: Owed, version: string): string | undefined {
  if (version === ANY_VERSION)
    return faultOf(reply, owed, '2025-11-25') && faultOf(reply, owed, '2026-07-28');
  if ('error' in reply) return faultOfError(reply.error, owed);
  const { method } = owed;
  const isThere = method !== undefined && !(version >= '2026' ? OLDER : NEWER).test(method);
  const name = isThere && Object.hasOwn(RESULTS, method) ? RESULTS[method] : undefined;
  if (!name) return `a result, where an error is owed (${method})`;
  if (version >= '2026') {
    if (reply.result.resultType !== 'complete') return 'no resultType';
    const { ttlMs, cacheScope } = reply.result;
    if (CACHED.test(method ?? '') && (!(ttlMs >= 0) || !/^(public|private)$/.test(cacheScope)))
      return 'no hints for caches';
  }
  return problemsOf(name, reply.result);
}

function faultOfError({ code, message }: { code: number; message: string }, { code: wanted }: Owed) {
  if (wanted !== undefined && code !== wanted) return `${code} instead of ${wanted}: ${message}`;
  return CODES.includes(code) ? undefined : `the code ${code}: ${message}`;
}

function problemsOf(name: Name, value: unknown): string | undefined {
  const result = specTypeSchemas[name]['~standard'].validate(value);
  assert.ok(!(result instanceof Promise));
  return result.issues && `no ${name}: ${JSON.stringify(result.issues).slice(0, 1000)}`;
}

/** @throws AssertionError where a reply is none of JSON-RPC, whatever it answers */
export function requireReply(reply: Message): void {
  assert.ok(isObject(reply), 'an answer is an object');
  const body = 'error' in reply ? 'error' : 'result';
  assert.deepEqual(Object.keys(reply), ['jsonrpc', 'id', body], JSON.stringify(reply).slice(0, 500));
  assert.equal(reply.jsonrpc, '2.0');
  assert.ok(isObject(reply[body]));
  if (body === 'result') return;
  const { code, message, ...more } = reply.error as Message;
  assert.ok(Number.isInteger(code) && typeof message === 'string' && message !== '');
  assert.ok(message.length <= LONGEST_MESSAGE, `an error of ${message.length} characters`);
  assert.deepEqual(
    Object.keys(more).filter((key) => key !== 'data'),
    [],
  );
}

/** @throws AssertionError where a request or a notification of the server is none of MCP */
export function requireOwnMessage(message: Message): void {
  assert.equal(message.jsonrpc, '2.0');
  const { jsonrpc: _, id, ...body } = message;
  const names: Name[] =
    id === undefined ? ['ServerNotification', 'SubscriptionsAcknowledgedNotification'] : ['ServerRequest'];
  const problems = names.map((name) => problemsOf(name, body));
  assert.ok(problems.includes(undefined), `${message.method}: ${problems.join('; ')}`);
}
