import { setImmediate as nextTurn } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { UserError } from '../../core/errors.ts';
import { delay } from '../../util/clock.ts';
import { MAX_MESSAGE } from '../connection/incoming.ts';
import { isBroken, TooLongError } from './http.ts';

export const EVENTS = 'text/event-stream';

/** The shortest and the longest pause before a stream is opened again, whatever the server wants, in milliseconds. */
const SHORTEST = 1_000;
const LONGEST = 60_000;

export interface StreamOptions {
  /** The stream to begin with; opened if absent. */
  first?: Response;
  /** Opens the stream, with the events after this one. */
  open(lastEventId: string | undefined): Promise<Response>;
  /** Whether an interrupted stream is opened again. @param attempt 1 for the first one since the last event */
  mayReopen(attempt: number, lastEventId: string | undefined): boolean;
  signal: AbortSignal;
}

/**
 * The data of each message of a stream to its end. It is opened again if it ends too early, after the pause that the server wants,
 * within limits (doubled with each failure in a row).
 *
 * @throws what `open` throws, except if the connection broke; TooLongError; an AbortError
 */
export async function* dataOf({ first, open, mayReopen, signal }: StreamOptions): AsyncGenerator<string> {
  let stream = first;
  let lastId: string | undefined;
  let retry = SHORTEST;
  const onRetry = (ms: number) => {
    retry = Math.max(ms, SHORTEST);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      stream ??= await open(lastId);
      for await (const { id, event = 'message', data } of eventsOf(stream, onRetry)) {
        attempt = 1;
        lastId = id || lastId;
        if (data && event === 'message') yield data;
      }
    } catch (error) {
      if (signal.aborted || !isBroken(error)) throw error;
    }
    if (!mayReopen(attempt, lastId)) return;
    stream = undefined;
    await delay(Math.min(retry * 2 ** (attempt - 1), LONGEST), signal);
  }
}

/**
 * The events of a `text/event-stream`. A turn of the event loop handles one chunk, so a server that floods delays nobody.
 *
 * @param onRetry gets the milliseconds that the server wants clients to wait before they reconnect
 * @throws TooLongError for an event longer than a message may be; what `fetch` throws if the connection breaks
 */
export async function* eventsOf(
  { body }: Response,
  onRetry?: (ms: number) => void,
): AsyncGenerator<EventSourceMessage> {
  let events: EventSourceMessage[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE,
    onEvent: (event) => events.push(event),
    onRetry,
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const complete = events;
    events = [];
    yield* complete;
    if (isTooLong) throw new TooLongError('The event is too long.');
    await nextTurn();
  }
}

/** Whether the response has this media type. */
export const hasType = ({ headers }: Response, type: string): boolean =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type;

/** The error for a response of another type, whose body is dropped. */
export async function wrongType({ headers, body }: Response): Promise<UserError> {
  await body?.cancel();
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type';
  return new UserError(
    `The server answered with ${type} instead of JSON or an event stream. Check that the URL in its definition is the address of an MCP server.`,
  );
}
