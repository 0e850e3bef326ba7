/** Headers and bodies of requests, as Streamable HTTP wants them, and the messages in them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { classifyInboundRequest } from '@modelcontextprotocol/server';
import { fieldsOf, isObject } from '../../core/json.ts';
import {
  errorReply,
  INVALID_REQUEST,
  isId,
  LIMIT_REACHED,
  MAX_LINE,
  type RequestId,
} from '../../core/jsonRpc.ts';

/** The parameter that the header Mcp-Name repeats, by method. */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The headers of 2026-07-28, which must say what the body says (SEP-2243). @throws HttpRefusal */
export function requireHeaders(
  request: IncomingMessage,
  { method, params }: { method?: unknown; params?: unknown },
  id: RequestId | null,
): void {
  const problem = (message: string) => new HttpRefusal(400, message, { code: HEADER_MISMATCH, id });
  for (const name of ['MCP-Protocol-Version', 'Mcp-Method'])
    if (header(request, name.toLowerCase()) === undefined) throw problem(`The header ${name} is missing.`);
  const named = fieldsOf(params)[NAMES[`${method}`] ?? ''];
  if (typeof named !== 'string') return;
  const said = decoded(header(request, 'mcp-name'));
  if (said === undefined) throw problem('The header Mcp-Name is missing, or not encoded correctly.');
  if (said !== named)
    throw problem(`The header Mcp-Name says ${JSON.stringify(said)}, the body ${JSON.stringify(named)}.`);
}

/** What is not ASCII is sent as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? [];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined;
}

/** A request as the SDK classifies it. */
export function inbound(
  request: IncomingMessage,
  body: unknown,
): Parameters<typeof classifyInboundRequest>[0] {
  const names = {
    protocolVersionHeader: 'mcp-protocol-version',
    mcpMethodHeader: 'mcp-method',
    mcpNameHeader: 'mcp-name',
  };
  const given = Object.entries(names).map(([key, name]) => [key, header(request, name)] as const);
  return {
    httpMethod: 'POST',
    body,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  };
}

export function header({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** @throws HttpRefusal if it is longer than a message may be */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += part;
    if (text.length > MAX_LINE)
      throw new HttpRefusal(413, `A message has at most ${MAX_LINE} characters.`, {
        code: LIMIT_REACHED,
        headers: { Connection: 'close' },
      });
  }
  return text;
}

export const isPostedRequest = (message: unknown): message is { id: RequestId; method: unknown } =>
  isObject(message) && 'method' in message && isId(message.id);

/** Calls may take long. */
export const isCall = (message: unknown): boolean => fieldsOf(message).method === 'tools/call';

/** @throws HttpRefusal of a message that can be parsed but not written, because it is nested too deeply */
export function messageText(message: unknown): string {
  try {
    return JSON.stringify(message);
  } catch {
    throw new HttpRefusal(400, 'The message is nested too deeply.', { code: INVALID_REQUEST });
  }
}

/** Codes of JSON-RPC errors that come with an HTTP status. */
export const SESSION_NOT_FOUND = -32001;
export const HEADER_MISMATCH = -32020;

interface More {
  code?: number;
  data?: object;
  id?: RequestId | null;
  headers?: Record<string, string>;
}

/** An HTTP request that is answered by an error, before any session has seen it. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly more: More;

  constructor(status: number, message: string, more: More = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }

  send(response: ServerResponse, headers: Record<string, string>): void {
    if (response.headersSent || response.destroyed) return;
    const { id = null, code = INVALID_REQUEST, data, headers: own } = this.more;
    response
      .writeHead(this.status, { 'Content-Type': 'application/json', ...headers, ...own })
      .end(JSON.stringify(errorReply(id, code, this.message, data)));
  }
}
