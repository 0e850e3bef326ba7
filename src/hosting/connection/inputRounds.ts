import { setTimeout as delay } from 'node:timers/promises';
import { CancelledError, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import type { RequestHandler } from './incomingRequests.ts';

/** Most times that a server may ask for input during one request. */
const MOST_ROUNDS = 10;
/** Pause before a retry without input, in milliseconds: the server only asked for time. */
const PAUSE = 250;

/**
 * Answers the server's questions until a request is complete (MCP 2026-07-28, multi-round-trip requests): each retry has the
 * original parameters, the answers and the server's `requestState`.
 *
 * @throws UserError if it asks more than 10 times, and what `send` and `answer` throw
 */
export async function withInput(
  send: (params: Fields | undefined) => Promise<unknown>,
  params: Fields | undefined,
  answer: RequestHandler,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let result = await send(params);
  for (let round = 1; isInputRequired(result); round++) {
    if (round > MOST_ROUNDS)
      throw new UserError(
        `The server asked for input more than ${MOST_ROUNDS} times, so the request was ended.`,
      );
    const { inputRequests, requestState } = result;
    const inputResponses = await answersTo(fieldsOf(inputRequests), answer, signal);
    result = await send({
      ...params,
      inputResponses,
      ...(requestState !== undefined && { requestState }),
    });
  }
  return result;
}

const isInputRequired = (result: unknown): result is Fields =>
  fieldsOf(result).resultType === 'input_required';

/** The answers by the keys of the requests; undefined if there are none. If one fails, the others are aborted. */
async function answersTo(
  requests: Fields,
  answer: RequestHandler,
  signal: AbortSignal | undefined,
): Promise<Fields | undefined> {
  const entries = Object.entries(requests);
  if (entries.length === 0) await delay(PAUSE, undefined, signal && { signal }).catch(cancelled);
  if (entries.length === 0) return undefined;
  const abort = new AbortController();
  const both = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal;
  const answered = entries.map(async ([key, request]) => {
    const { method, params } = fieldsOf(request);
    return [key, await answer(String(method), fieldsOf(params), both)] as const;
  });
  try {
    return Object.fromEntries(await Promise.all(answered));
  } finally {
    abort.abort();
  }
}

function cancelled(): never {
  throw new CancelledError('The request was cancelled.');
}
