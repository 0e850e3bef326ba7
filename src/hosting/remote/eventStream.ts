import { setImmediate as nextTurn } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { UserError } from '../../core/errors.ts';
import { MAX_MESSAGE } from '../connection/incoming.ts';
import { TooLongError } from './readUpTo.ts';

export const EVENTS = 'text/event-stream';

/**
 * The events of a `text/event-stream`. A turn of the event loop handles one chunk, so a server that floods delays nobody.
 *
 * @param onRetry gets the milliseconds that the server wants clients to wait before they reconnect
 * @throws TooLongError for an event longer than a message may be; what `fetch` throws if the connection breaks
 */
export async function* eventsOf(
  { body }: Response,
  onRetry: (ms: number) => void,
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
