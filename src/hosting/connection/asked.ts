import {
  type ClientCapabilities,
  METHOD_NOT_FOUND,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import type { RequestId } from '../../core/jsonRpc.ts';
import { APPS } from '../../core/mcpExtensions.ts';
import { relatedTask, withoutTask } from './serverTask.ts';

/** Answers a question of a server, with its params as sent. @throws ProtocolError or UserError, which the server gets */
export type QuestionHandler = (params: Fields, signal: AbortSignal) => Promise<object>;

export type QuestionHandlers = Partial<
  Record<'roots/list' | 'sampling/createMessage' | 'elicitation/create', QuestionHandler>
>;

/** What the handlers can do; `includeContext` is not among it. @param showsApps whether agents show apps of the server */
export const capabilitiesOf = (handlers: QuestionHandlers, showsApps = false): ClientCapabilities => ({
  ...(showsApps && APPS),
  ...(handlers['roots/list'] && { roots: { listChanged: true } }),
  ...(handlers['sampling/createMessage'] && { sampling: { tools: {} } }),
  ...(handlers['elicitation/create'] && { elicitation: { form: {}, url: {} } }),
});

/** The requests of one server to us. */
export class AskedRequests {
  readonly #handlers: QuestionHandlers;
  /** By their ids, until they are answered. */
  readonly #open = new Map<unknown, AbortController>();

  constructor(handlers: QuestionHandlers) {
    this.#handlers = handlers;
  }

  /** The answer to a request; undefined if the server has cancelled it. Never rejects. */
  async reply(id: RequestId, method: string, params: Fields): Promise<Fields | undefined> {
    const abort = new AbortController();
    this.#open.set(id, abort);
    const reply = await this.answer(method, withoutTask(params), abort.signal).then(
      (result) => ({ result: { ...result, ...relatedTask(params) } }),
      errorOf,
    );
    if (this.#open.get(id) === abort) this.#open.delete(id);
    return abort.signal.aborted ? undefined : { id, ...reply };
  }

  /** @throws as a `RequestHandler` does */
  readonly answer = async (method: string, params: Fields, signal: AbortSignal): Promise<object> => {
    if (method === 'ping') return {};
    const handlers = this.#handlers;
    const handler = Object.hasOwn(handlers, method) ? handlers[method as keyof QuestionHandlers] : undefined;
    if (!handler) throw new ProtocolError(METHOD_NOT_FOUND, `The client does not offer ${method}.`);
    return await handler(params, signal);
  };

  cancel(id: unknown): void {
    this.#open.get(id)?.abort();
  }

  cancelAll(): void {
    for (const abort of this.#open.values()) abort.abort();
    this.#open.clear();
  }
}

function errorOf(error: unknown): { error: Fields } {
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
  const message = error instanceof UserError ? error.message : 'The request failed in the client.';
  return { error: { code: ProtocolErrorCode.InternalError, message } };
}
