/** Headers and bodies of requests, as Streamable HTTP wants them. */
import type { IncomingMessage } from 'node:http';
import type { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { RequestId } from '../../core/errorReply.ts';
import { fieldsOf } from '../../core/json.ts';
import { LIMIT_REACHED, MAX_LINE } from '../../core/jsonRpc.ts';
import { HEADER_MISMATCH, Refusal } from './refusal.ts';

/** The headers of 2026-07-28, which must say what the body says (SEP-2243). @throws Refusal */
export function requireHeaders(
  request: IncomingMessage,
  { method, params }: { method?: unknown; params?: unknown },
  id: RequestId | null,
): void {
  const problem = (message: string) => new Refusal(400, message, { code: HEADER_MISMATCH, id });
  for (const name of ['MCP-Protocol-Version', 'Mcp-Method'])
    if (header(request, name.toLowerCase()) === undefined) throw problem(`The header ${name} is missing.`);
  const { name, uri } = fieldsOf(params);
  const named = method === 'resources/read' ? uri : /^(tools\/call|prompts\/get)$/.test(`${method}`) && name;
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

/** @throws Refusal if it is longer than a message may be */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += part;
    if (text.length > MAX_LINE)
      throw new Refusal(413, `A message has at most ${MAX_LINE} characters.`, {
        code: LIMIT_REACHED,
        headers: { Connection: 'close' },
      });
  }
  return text;
}
