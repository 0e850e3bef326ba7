/**
 * What HTTP asks of a server and the product, which has no HTTP, is never asked: who may send (against DNS rebinding),
 * headers that repeat what the body says, and statuses that repeat what the error says.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Message } from '../wire/rawAgent.ts';

export const VERSION = 'io.modelcontextprotocol/protocolVersion';
export const MODERN = '2026-07-28';

/** A page of another site that had its name resolve to this machine would still send its own name. */
export function isLocal({ host, origin }: IncomingHttpHeaders): boolean {
  return [`http://${host}`, origin ?? `http://${host}`].every(
    (url) => URL.canParse(url) && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname),
  );
}

/** Since 2026-07-28 each request says by itself which version it speaks; in the older versions `initialize` does. */
export const isModern = (headers: IncomingHttpHeaders, { params }: Message): boolean =>
  params?._meta?.[VERSION] !== undefined || headers['mcp-protocol-version'] === MODERN;

/** The error for headers that do not say what the body says (2026-07-28, HeaderMismatch). */
export function mismatch(headers: IncomingHttpHeaders, { id, method, params }: Message): Message | undefined {
  const isOfTasks = /^tasks\/(get|update|cancel)$/.test(method);
  const said: [header: string, value: unknown][] = [
    ['mcp-protocol-version', params?._meta?.[VERSION]],
    ['mcp-method', method],
    ['mcp-name', params?.name ?? params?.uri ?? (isOfTasks ? params?.taskId : undefined)],
  ];
  const wrong = said.find(([name, value]) => value !== undefined && headers[name] !== value);
  const message = `The header ${wrong?.[0]} does not say what the body says.`;
  return wrong && { jsonrpc: '2.0', id: id ?? null, error: { code: -32020, message } };
}

const STATUS = { [-32601]: 404, [-32602]: 400, [-32020]: 400, [-32021]: 400, [-32022]: 400 };

/** The status of an answer of 2026-07-28. */
export const statusOf = ({ error }: Message): number =>
  (error && STATUS[error.code as keyof typeof STATUS]) || 200;
