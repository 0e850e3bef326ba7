import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type JSONRPCErrorResponse,
  type JSONRPCResponse,
  type JSONRPCResultResponse,
  METHOD_NOT_FOUND,
  type ProtocolEra,
  type ProtocolError,
  type RequestId,
} from '@modelcontextprotocol/server';
import { type ErrorReply, errorReply, LIMIT_REACHED, withDetails } from '../../core/jsonRpc.ts';
import { cutMiddle } from '../../core/text/cutText.ts';

export type WireReply = JSONRPCResultResponse | ErrorReply;

/** The code of a missing resource up to 2025-11-25. Since 2026-07-28 it is −32602, which the SDK always sends. */
const RESOURCE_NOT_FOUND = -32002;

/** The agent's message for a request that the user has cancelled. */
export const CANCELLED_BY_USER = 'The user cancelled this call.';

export const errorReplyOf = (id: RequestId | null, { code, message, data }: ProtocolError): ErrorReply =>
  errorReply(id, code, message, data as object);

/** @param limit of a batch; left out if a single answer is longer than a JavaScript string can be */
export const tooLargeReply = (id: RequestId | null, limit: object = {}): ErrorReply =>
  errorReply(id, LIMIT_REACHED, 'The answer is too large to be sent. Ask for less at once.', limit);

/**
 * The SDK's reply with its id first (`{"jsonrpc":"2.0","id":…`), so that the shim finds it without parsing the text, and
 * with the error code of the era.
 */
export function replyInEra(reply: JSONRPCResponse, method: string, era: ProtocolEra | undefined): WireReply {
  const id = reply.id as RequestId;
  if ('result' in reply) return { jsonrpc: '2.0', id, result: reply.result };
  const { data } = reply.error;
  const code = isMissingResource(reply, method, era) ? RESOURCE_NOT_FOUND : reply.error.code;
  const message =
    code === METHOD_NOT_FOUND ? `Method not found: ${cutMiddle(method, 200)}` : reply.error.message;
  return { jsonrpc: '2.0', id, error: { code, message, data: withDetails(data, message) } };
}

/** The SDK's ResourceNotFoundError is recognised by its `data.uri`. */
const isMissingResource = (
  { error }: JSONRPCErrorResponse,
  method: string,
  era: ProtocolEra | undefined,
): boolean =>
  era === 'legacy' &&
  (method === 'resources/read' || method === 'resources/subscribe') &&
  error.code === INVALID_PARAMS &&
  typeof (error.data as { uri?: unknown } | undefined)?.uri === 'string';

/** The reply to a request that the user has cancelled: of a tool, a result, because the model reads it; else an error. */
export function cancelledReply(id: RequestId, method: string, era: ProtocolEra | undefined): WireReply {
  if (method !== 'tools/call') return errorReply(id, INTERNAL_ERROR, CANCELLED_BY_USER);
  const result = { content: [{ type: 'text', text: CANCELLED_BY_USER }], isError: true };
  return { jsonrpc: '2.0', id, result: era === 'modern' ? { ...result, resultType: 'complete' } : result };
}

/** Most UTF-16 units of all answers to a batch. */
export const MAX_BATCH_ANSWER = 64 * 1024 * 1024;

const BATCH_LIMIT = { limit: MAX_BATCH_ANSWER, unit: 'characters of the answers to a batch' };

/** A JSON-RPC batch (MCP up to 2025-03-26): answered by one array, when all answers are known. */
export class Batch {
  readonly #replies: WireReply[] = [];
  readonly #send: (replies: readonly WireReply[]) => void;
  #open: number;
  #size = 0;

  /** @param size number of messages, each to be settled once */
  constructor(size: number, send: (replies: readonly WireReply[]) => void) {
    this.#open = size;
    this.#send = send;
  }

  /**
   * A message is answered, or needs no answer. All answers wait for the last one, so those past {@link MAX_BATCH_ANSWER} are
   * replaced by errors. Returns the size of the answer in UTF-16 units.
   */
  settle(reply?: WireReply): number {
    const size = reply ? JSON.stringify(reply).length : 0;
    const fits = this.#size + size <= MAX_BATCH_ANSWER;
    if (reply) this.#replies.push(fits ? reply : tooLargeReply(reply.id as RequestId, BATCH_LIMIT));
    if (fits) this.#size += size;
    this.#open--;
    if (this.#open === 0 && this.#replies.length > 0) this.#send(this.#replies);
    return size;
  }
}
