import type { RequestId } from '../../core/errorReply.ts';
import { UserError } from '../../core/errors.ts';
import { type Fields, parsedJson } from '../../core/json.ts';
import { isAnswer } from '../../core/jsonRpc.ts';
import { clock } from '../../util/clock.ts';
import { MAX_MESSAGE, messagesOf, tooLongReply } from '../connection/incoming.ts';
import { EVENTS, hasType, wrongType } from './eventStream.ts';
import { followStream } from './followStream.ts';
import { HttpStatusError, isBroken, NetworkError } from './httpErrors.ts';
import { readUpTo, TooLongError } from './readUpTo.ts';

/** Attempts in a row to resume the stream of a request. */
const MOST_ATTEMPTS = 5;
/** Time that a server has to end the stream after the answer, in milliseconds. */
const LINGER = 1_000;

interface Handlers {
  /** Sends the request. */
  post(signal: AbortSignal): Promise<Response>;
  /** Opens a stream with what came after this event. */
  resume(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
  /** Gets all messages except the answer: the server's own requests and notifications. */
  pass(message: Fields): void;
  answered(answer: Fields): void;
}

/** A request over Streamable HTTP, and what the server sends until it is answered. */
export class Exchange {
  readonly #request: Fields;
  readonly #handlers: Handlers;
  readonly #abort = new AbortController();
  #isAnswered = false;

  constructor(request: Fields, handlers: Handlers) {
    this.#request = request;
    this.#handlers = handlers;
  }

  /** Ends its streams. */
  end(): void {
    this.#abort.abort();
  }

  /** Resolves once it is answered or was ended. @throws UserError if there will be no answer; what `post` and `resume` throw */
  async run(): Promise<void> {
    let cancelEnd: (() => void) | undefined;
    try {
      const { signal } = this.#abort;
      const response = await this.#handlers.post(signal);
      if (hasType(response, 'application/json')) this.#take(await readUpTo(MAX_MESSAGE, response));
      else if (hasType(response, EVENTS))
        await this.#follow(response, () => (cancelEnd ??= this.#endLater()));
      else throw await wrongType(response);
      if (!this.#isAnswered) throw new UserError(UNANSWERED);
    } catch (error) {
      if (!this.#isOver(error)) throw mayHaveEffect(error) ? new UserError(UNANSWERED) : error;
    } finally {
      cancelEnd?.();
    }
  }

  async #follow(first: Response, onAnswer: () => void): Promise<void> {
    const { signal } = this.#abort;
    await followStream({
      first,
      open: (lastEventId) => this.#handlers.resume(lastEventId, signal),
      take: (data) => {
        this.#take(data);
        if (this.#isAnswered) onAnswer();
        return this.#isAnswered;
      },
      mayReopen: (attempt, lastEventId) => lastEventId !== undefined && attempt <= MOST_ATTEMPTS,
      signal,
    });
  }

  /** Some servers send the id as a string. */
  #take(text: string): void {
    const id = String(this.#request.id);
    for (const message of (messagesOf(text) ?? []) as Fields[]) {
      if (isAnswer(message) && String(message.id) === id) this.#answer(message);
      else this.#handlers.pass(message);
    }
  }

  #answer(answer: Fields): void {
    this.#isAnswered = true;
    this.#handlers.answered(answer);
  }

  #endLater(): () => void {
    return clock.after(LINGER, () => this.end());
  }

  /** Whether nothing is left to report: it is answered (also by an error with a status), or was ended. */
  #isOver(error: unknown): boolean {
    if (error instanceof TooLongError) this.#answer(tooLongReply(this.#request.id as RequestId) as Fields);
    if (error instanceof HttpStatusError) this.#takeError(error);
    return this.#isAnswered || this.#abort.signal.aborted;
  }

  #takeError({ body }: HttpStatusError): void {
    const answer = parsedJson(body);
    // A server that could not read the request does not know its id.
    if (isAnswer(answer) && answer.error !== undefined) this.#answer({ ...answer, id: this.#request.id });
  }
}

export const isRequest = (message: Fields): message is Fields & { id: unknown } =>
  message.method !== undefined && message.id !== undefined;

const mayHaveEffect = (error: unknown): boolean =>
  isBroken(error) && !(error instanceof NetworkError && !error.wasSent);

const UNANSWERED =
  'The server sent no valid answer, or the connection broke before it. It is unknown whether the request took effect: check before you repeat it.';
