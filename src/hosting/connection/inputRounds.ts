import { CancelledError, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { delay } from '../../util/clock.ts';

/** Most times that a server may ask for input during one request. */
const MOST_ROUNDS = 10;
/** Pause before a retry without input, in milliseconds: the server only asked for time. */
const RETRY_PAUSE_MS = 250;

/** Answers a request of the server. @throws ProtocolError with the code for the server; UserError with the text for it */
export type RequestHandler = (method: string, params: Fields, signal: AbortSignal) => Promise<object>;

/** Questions of a server that are for the caller of the request, who sends it again with the answers. */
export class InputRequired {
  /** As the server sent them, by their keys. */
  requests: Fields = {};
  /** Our answers to its other questions, for the same retry. */
  answered: Fields | undefined;
  requestState: unknown;
}

interface AskedRequest {
  params: Fields | undefined;
  /** Sends it again, with other params. */
  send(params: Fields): Promise<unknown>;
  answer: RequestHandler;
  signal?: AbortSignal | undefined;
  /** Methods of the questions that the caller answers itself. */
  callers?: readonly string[] | undefined;
}

/**
 * Answers the server's questions, from those of the first result on, until a request is complete (MCP 2026-07-28, multi-round-trip requests): each retry has the
 * original parameters, the answers and the server's `requestState`.
 *
 * @returns the result; an `InputRequired` if the caller answers some of them
 * @throws UserError if it asks more than 10 times, and what `send` and `answer` throw
 */
export async function withInput(
  first: Fields,
  { params, send, answer, signal, callers = [] }: AskedRequest,
): Promise<unknown> {
  let result: unknown = first;
  for (let round = 1; isInputRequired(result); round++) {
    if (round > MOST_ROUNDS)
      throw new UserError(
        `The server asked for input more than ${MOST_ROUNDS} times, so the request was ended.`,
      );
    const { inputRequests, requestState } = result;
    const { theirs = [], ours = [] } = Object.groupBy(
      Object.entries(fieldsOf(inputRequests)),
      ([, request]) => (callers.includes(`${fieldsOf(request).method}`) ? 'theirs' : 'ours'),
    );
    const inputResponses = ours.length > 0 ? await answersTo(ours, answer, signal) : undefined;
    const requests = Object.fromEntries(theirs);
    if (theirs.length > 0)
      return Object.assign(new InputRequired(), { requests, answered: inputResponses, requestState });
    if (!inputResponses) await delay(RETRY_PAUSE_MS, signal).catch(cancelled);
    result = await send({ ...params, inputResponses, ...(requestState !== undefined && { requestState }) });
  }
  return result;
}

export const isInputRequired = (result: unknown): result is Fields =>
  fieldsOf(result).resultType === 'input_required';

/** The answers by the keys of the requests. If one fails, the others are aborted. */
async function answersTo(
  requests: readonly [key: string, request: unknown][],
  answer: RequestHandler,
  signal: AbortSignal | undefined,
): Promise<Fields> {
  const abort = new AbortController();
  const both = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal;
  const answered = requests.map(async ([key, request]) => {
    const { method, params } = fieldsOf(request);
    return [key, await answer(String(method), fieldsOf(params), both)] as const;
  });
  try {
    return Object.fromEntries(await Promise.all(answered));
  } finally {
    abort.abort();
  }
}

/** For `catch`. */
export function cancelled(): never {
  throw new CancelledError('The request was cancelled.');
}
