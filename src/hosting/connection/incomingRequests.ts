import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { RequestId } from '../../core/errorReply.ts';
import { UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';

/** Answers a request of the server. @throws ProtocolError with the code for the server; UserError with the text for it */
export type RequestHandler = (method: string, params: Fields, signal: AbortSignal) => Promise<object>;

/** Requests from the server that are not answered yet. */
export class IncomingRequests {
  readonly #open = new Map<RequestId, AbortController>();
  readonly #handle: RequestHandler;
  readonly #send: (message: Fields) => void;

  constructor(handle: RequestHandler, send: (message: Fields) => void) {
    this.#handle = handle;
    this.#send = send;
  }

  take(id: RequestId, method: string, params: unknown): void {
    const abort = new AbortController();
    this.#open.set(id, abort);
    void this.#reply(method, params as Fields, abort.signal).then((reply) => {
      if (this.#open.get(id) === abort) this.#open.delete(id);
      if (!abort.signal.aborted) this.#send({ jsonrpc: '2.0', id, ...reply });
    });
  }

  /** Aborts the handler; a cancelled request gets no answer. */
  cancel(id: unknown): void {
    this.#open.get(id as RequestId)?.abort();
  }

  cancelAll(): void {
    for (const abort of this.#open.values()) abort.abort();
    this.#open.clear();
  }

  async #reply(method: string, params: Fields, signal: AbortSignal): Promise<Fields> {
    try {
      return { result: await this.#handle(method, params ?? {}, signal) };
    } catch (error) {
      return { error: replyOf(error) };
    }
  }
}

function replyOf(error: unknown): Fields {
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  const message = error instanceof UserError ? error.message : 'The request failed in the client.';
  return { code: ProtocolErrorCode.InternalError, message };
}
