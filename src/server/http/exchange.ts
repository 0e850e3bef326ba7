import type { ServerResponse } from 'node:http';
import { errorReply, INVALID_REQUEST, type RequestId } from '../../core/json.ts';
import { clock } from '../../util/clock.ts';
import type { EventStream } from './eventStream.ts';
import { HEADER_MISMATCH } from './requests.ts';

/** After so many milliseconds without an answer the response begins: clients give up on a server that says nothing. */
const SILENCE = 5_000;

export interface PostOptions {
  response: ServerResponse;
  headers: Record<string, string>;
  /** Since 2026-07-28 errors have an HTTP status, and a client that goes away before the answer no longer wants it; before, it may come back. */
  isModern: boolean;
}

export type PostExchange = ReturnType<typeof postExchange>;

/**
 * The answer to one POST: as JSON, if nothing comes before it, or as a stream of events.
 *
 * @param given the requests that it answers: the ids of the client by ours. Those of a batch are answered by one array
 * @param stream for what comes before the answer. Undefined if the client takes only JSON
 * @param isPrimed the stream begins without an event, so that a client that loses its connection can come back
 */
export function postExchange(
  { response, headers, isModern }: PostOptions,
  given: Map<RequestId, RequestId>,
  stream: EventStream | undefined,
  isPrimed: boolean,
) {
  let isStreamed = false;
  let isOver = false;
  let stopWaiting: (() => void) | undefined;
  const begin = () => {
    if (isStreamed || !stream || response.destroyed) return;
    stopWaiting?.();
    isStreamed = true;
    stream.connect(response, headers, undefined, isPrimed);
  };
  /** A text with the ids that the client gave. Ours are random: they are nowhere else in it. */
  const translated = (text: string): string => {
    let changed = text;
    for (const [ours, theirs] of given)
      changed = changed.replaceAll(`"${ours}"`, () => JSON.stringify(theirs));
    return changed;
  };
  const answer = (text: string): void => {
    stopWaiting?.();
    isOver = true;
    if (isStreamed) {
      stream?.send(translated(text));
      stream?.end();
    } else if (!response.headersSent && !response.destroyed) {
      const status = isModern ? statusOf(text) : 200;
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(translated(text));
    }
  };
  return {
    given,
    stream,
    get isStreamed() {
      return isStreamed;
    },
    wait(): void {
      if (isOver || isStreamed || !stream) return;
      if (isPrimed) begin();
      else stopWaiting = clock.after(SILENCE, begin, true);
    },
    /** Sends what belongs to the request. @returns false if its client cannot get it here */
    send(text: string): boolean {
      begin();
      if (!stream || !isStreamed) return false;
      stream.send(translated(text));
      return true;
    },
    answer,
    fail(code: number, message: string): void {
      const replies = [...given.keys()].map((id) => errorReply(id, code, message));
      if (replies.length > 0 && !isOver) answer(JSON.stringify(replies.length > 1 ? replies : replies[0]));
    },
    /** Nothing is answered: there was no request, or it was cancelled. */
    end(): void {
      stopWaiting?.();
      if (isOver) return;
      isOver = true;
      if (isStreamed) stream?.end();
      else if (!response.headersSent && !response.destroyed) response.writeHead(202, headers).end();
    },
  };
}

/** Answers of 2026-07-28 that are HTTP errors as well. Other errors are part of a successful exchange. */
const STATUS_BY_CODE: Partial<Record<string, number>> = {
  '-32700': 400,
  [INVALID_REQUEST]: 400,
  '-32601': 404,
  [HEADER_MISMATCH]: 400,
  '-32021': 400,
  '-32022': 400,
};

function statusOf(answer: string): number {
  const [, code = ''] = /^\{"jsonrpc":"2\.0","id":[^{]*"error":\{"code":(-?\d+)/.exec(answer) ?? [];
  return STATUS_BY_CODE[code] ?? 200;
}
