import { randomUUID } from 'node:crypto';
import {
  type InputRequests,
  type InputRequiredResult,
  LOG_LEVEL_META_KEY,
} from '@modelcontextprotocol/server';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { CancelledError, UserError } from '../../core/messages.ts';
import {
  type AskAgent,
  type Caller,
  type Hosted,
  type HostedClient,
  InputRequired,
  type ServerMessage,
} from '../../hosting/index.ts';
import { clock, unlessAborted } from '../../util/clock.ts';
import { KeyedQueue } from '../../util/turns.ts';
import type { Call, Context } from '../context.ts';
import { passOn, progressOf, redacted, requireResult, rethrowRedacted, shown } from './shown.ts';

type Request = readonly [method: string, params: Fields];

interface SendOptions {
  /** The request changes nothing, so it is repeated once if the server ends meanwhile. */
  readOnly: boolean;
  /** Answers questions of a modern server. */
  caller?: Caller;
  /** Ends the request; that of the call if left out. */
  signal?: AbortSignal;
  /** Called once the server runs, directly before the request is sent. @throws UserError to send nothing */
  check?(ctx: Context): void;
}

/**
 * Sends a request of an agent to a server, and gives the agent its progress and log messages meanwhile. URIs are those that agents
 * see, and everything of the server is redacted.
 *
 * @returns the result; an `InputRequired` if there is a caller
 * @throws UserError; CancelledError; ProtocolError of the server
 */
export async function send(
  server: Hosted,
  [method, params]: Request,
  ctx: Context,
  call: Call,
  {
    readOnly,
    caller,
    signal = call.signal,
    check = ({ hosted }) => hosted.requireUsable(server),
  }: SendOptions,
): Promise<unknown> {
  const request = (client: HostedClient) => {
    check(ctx);
    // A server is asked for progress only if the agent wants it.
    const onProgress = call.meta?.progressToken === undefined ? undefined : progressOf(call, ctx);
    const options = { onProgress, signal, caller };
    return client.request(method, withMeta(params, call, client.era === 'modern'), options);
  };
  const onMessage = (message: ServerMessage) => passOn(message, server, ctx, call);
  const result = await server
    .use(ctx.author(), request, { readOnly, signal, onMessage })
    .catch(rethrowRedacted(ctx));
  if (!(result instanceof InputRequired))
    return await shown(requireResult(result, server, method), server, method, ctx);
  result.requests = redacted(result.requests, ctx);
  return result;
}

/** With what the agent sent along with its request. Since 2026-07-28 each has the log level. */
function withMeta(params: Fields, call: Call, isModern: boolean): Fields {
  const { logLevel } = call;
  const passed = { ...passedMeta(call), ...(isModern && logLevel && { [LOG_LEVEL_META_KEY]: logLevel }) };
  if (Object.keys(passed).length === 0) return params;
  return { ...params, _meta: { ...fieldsOf(params._meta), ...passed } };
}

/** What the agent sent along with its request, without what belongs to its own connection. */
export const passedMeta = ({ meta = {} }: Call): Fields =>
  Object.fromEntries(
    Object.entries(meta).filter(
      ([key]) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/'),
    ),
  );

/** How long an agent may take to answer, in milliseconds: as long as the state that it carries is valid. */
const PATIENCE = 10 * 60_000;

/** The key of the question of a server of the older versions. */
const QUESTION = 'question';
/** What comes next of a request: its result, or questions for the agent, which repeats the request with the answers. */
type Outcome = { result: unknown } | { asks: InputRequiredResult };

/** A request whose agent is asked. It goes on once. */
interface WaitingRequest {
  server: Hosted;
  request: string;
  goOn(call: Call): Promise<Outcome>;
}

/** By the id in the state that the agent carries. */
const waiting = new Map<string, WaitingRequest>();

/** Names a request: its rounds have the same server, with the same approval, and the same parameters. */
const requestId = ({ grantKey }: Hosted, request: Request): string => JSON.stringify([grantKey, request]);

function waitingFor(server: Hosted, request: Request, { input }: Call): WaitingRequest | undefined {
  const known = waiting.get(`${fieldsOf(input.state).asking}`);
  return known?.server === server && known.request === requestId(server, request) ? known : undefined;
}

/** Whether it is a later round of a call that was approved and goes on. The state alone does not prove it: agents can keep one. */
export const isLaterRound = (server: Hosted, request: Request, call: Call): boolean =>
  waitingFor(server, request, call) !== undefined;

/**
 * As `send`, for a request whose server may ask the agent before it answers, if its definition says so (MCP 2026-07-28, multi
 * round-trip requests; the SDK asks older agents).
 *
 * @throws as `send` does
 */
export async function sendAsking(
  server: Hosted,
  request: Request,
  ctx: Context,
  call: Call,
  options: SendOptions,
): Promise<Outcome> {
  if (server.questions.methods.length === 0)
    return { result: await send(server, request, ctx, call, options) };
  const { state, answers } = call.input;
  const known = waitingFor(server, request, call);
  if (known) return known.goOn(call);
  if (state !== undefined)
    throw new UserError('The call has ended, because its answer came too late. Call it again.');
  const more = Object.keys(answers).length > 0 ? { inputResponses: answers } : {};
  return new AskingRequest({ server, request, ctx, options, more }, call).next(call);
}

interface Asking {
  server: Hosted;
  request: Request;
  ctx: Context;
  options: SendOptions;
  /** Answers and state for the server. */
  more: Fields;
}

/** A request at a server that may ask. One of the older versions asks while the request goes on, a modern one by its result. */
class AskingRequest {
  readonly #asking: Asking;
  readonly #abort = new AbortController();
  readonly #turns = new KeyedQueue();
  readonly #result: Promise<unknown>;
  #asked = Promise.withResolvers<{ params: Fields; method: string; answer(given: unknown): void }>();

  constructor(asking: Asking, call: Call) {
    this.#asking = asking;
    const { server, request, ctx, options, more } = asking;
    const capabilities = fieldsOf(call.input.capabilities);
    const ask: AskAgent = (method, params) => {
      const [kind = ''] = method.split('/');
      if (!capabilities[kind]) throw new UserError(`The agent that called does not offer ${method}.`);
      return this.#turns.take('', () => this.#ask(method, redacted(params, ctx)));
    };
    const [method, params] = request;
    const caller = { answers: server.questions.methods, capabilities };
    const all = { ...options, caller, signal: this.#abort.signal };
    this.#result = server.questions.during(ask, () =>
      send(server, [method, { ...params, ...more }], ctx, call, all),
    );
    this.#result.catch(() => {}); // nobody may be waiting for it now
  }

  /** @throws what the server answers; CancelledError */
  async next(call: Call): Promise<Outcome> {
    const either = Promise.race([this.#result.then((result) => ({ result })), this.#asked.promise]);
    const outcome = await unlessAborted(either, call.signal);
    if (!outcome) {
      this.#abort.abort();
      throw new CancelledError('The request was cancelled.');
    }
    if (!('result' in outcome)) return this.#askAgent(call, outcome);
    return outcome.result instanceof InputRequired ? this.#passOn(call, outcome.result) : outcome;
  }

  #ask(method: string, params: Fields): Promise<object> {
    return new Promise((resolve, reject) => {
      const answer = (given: unknown) =>
        given === undefined ? reject(new UserError('The agent gave no answer.')) : resolve(fieldsOf(given));
      this.#asked.resolve({ method, params, answer });
    });
  }

  async #askAgent(call: Call, { method, params, answer }: Fields & { answer(given: unknown): void }) {
    const requests = { [QUESTION]: { method, params } } as InputRequests;
    return this.#wait(call, requests, (next) => {
      this.#asked = Promise.withResolvers();
      answer(next.input.answers[QUESTION]);
      return this.next(next);
    });
  }

  /** The agent gets the server's questions under their keys; its answers go to the server with ours. */
  #passOn(call: Call, { requests, answered, requestState }: InputRequired): Promise<Outcome> {
    return this.#wait(call, requests as InputRequests, (next) => {
      const inputResponses = { ...answered, ...next.input.answers };
      const more = { inputResponses, ...(requestState !== undefined && { requestState }) };
      return new AskingRequest({ ...this.#asking, more }, next).next(next);
    });
  }

  async #wait(call: Call, requests: InputRequests, goOn: (call: Call) => Promise<Outcome>): Promise<Outcome> {
    const id = randomUUID();
    const giveUp = () => {
      waiting.delete(id);
      this.#abort.abort();
    };
    const cancel = clock.after(PATIENCE, giveUp, true); // a process may end without the answer
    const { server, request } = this.#asking;
    waiting.set(id, {
      server,
      request: requestId(server, request),
      goOn(next) {
        cancel();
        waiting.delete(id);
        return goOn(next);
      },
    });
    return { asks: await call.input.ask(requests, { asking: id }) };
  }
}
