import { delay } from '../../util/clock.ts';
import { eventsOf } from './eventStream.ts';
import { isBroken } from './httpErrors.ts';

/** The shortest and the longest pause before a stream is opened again, whatever the server wants, in milliseconds. */
const SHORTEST = 1_000;
const LONGEST = 60_000;

export interface StreamOptions {
  /** The stream to begin with; opened if absent. */
  first?: Response;
  /** Opens the stream, with the events after this one. */
  open(lastEventId: string | undefined): Promise<Response>;
  /** Gets the data of each message. @returns whether it was the last one to wait for */
  take(data: string): boolean;
  /** Whether an interrupted stream is opened again. @param attempt 1 for the first one since the last event */
  mayReopen(attempt: number, lastEventId: string | undefined): boolean;
  signal: AbortSignal;
}

/**
 * Reads a stream of messages to its end, and opens it again if it ends too early, after the pause that the server wants, within
 * limits (doubled with each failure in a row).
 *
 * @throws what `open` throws, except if the connection broke; TooLongError; an AbortError
 */
export async function followStream(options: StreamOptions): Promise<void> {
  const { open, take, mayReopen, signal } = options;
  let { first: stream } = options;
  let lastId: string | undefined;
  let retry = SHORTEST;
  let isDone = false;
  const onRetry = (ms: number) => {
    retry = Math.max(ms, SHORTEST);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      stream ??= await open(lastId);
      for await (const { id, event, data } of eventsOf(stream, onRetry)) {
        attempt = 1;
        lastId = id || lastId;
        if (data && (event ?? 'message') === 'message') isDone = take(data) || isDone;
      }
    } catch (error) {
      if (signal.aborted || !isBroken(error)) throw error;
    }
    if (isDone || !mayReopen(attempt, lastId)) return;
    stream = undefined;
    await delay(Math.min(retry * 2 ** (attempt - 1), LONGEST), signal);
  }
}
