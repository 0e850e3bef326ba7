import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf } from '../../core/json.ts';

/** The parameter that names what a request is about, by method (MCP 2026-07-28, standard request headers). */
const NAMED_BY = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Whether a message is of MCP 2026-07-28 or newer. */
export const isModern = ({ params }: Fields): boolean => versionIn(params) !== undefined;

/** The headers that repeat parts of a message's body; none in the legacy era. */
export function modernHeaders({ method, params }: Fields): Record<string, string> {
  const version = versionIn(params);
  if (version === undefined) return {};
  const name = fieldsOf(params)[NAMED_BY.get(String(method)) ?? ''];
  return {
    'mcp-protocol-version': version,
    'mcp-method': String(method),
    ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
  };
}

/** A text as the value of a header: in Base64 if it has other characters than visible ASCII, or outer spaces. */
export function headerValue(text: string): string {
  const isPlain =
    /^[\t\u0020-\u007e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function versionIn(params: unknown): string | undefined {
  const version = fieldsOf(fieldsOf(params)._meta)[PROTOCOL_VERSION_META_KEY];
  return typeof version === 'string' ? version : undefined;
}
