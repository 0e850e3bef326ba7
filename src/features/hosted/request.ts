import { randomUUID } from 'node:crypto';
import {
  type InputRequests,
  type InputRequiredResult,
  LOG_LEVEL_META_KEY,
} from '@modelcontextprotocol/server';
import { CancelledError, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { type AskAgent, type Caller, InputRequired } from '../../hosting/index.ts';
import { clock, unlessAborted } from '../../util/clock.ts';
import { KeyedQueue } from '../../util/queues.ts';
import type { Call } from '../context.ts';
import {
  type HostedRequest,
  passOn,
  progressOf,
  redacted,
  requireResult,
  rethrowRedacted,
  shown,
  taskOptions,
} from './shown.ts';

interface SendOptions {
  /** Answers questions of a modern server. */
  caller?: Caller;
  /** Ends the request; that of the call if left out. */
  signal?: AbortSignal;
}

/**
 * Sends a request of an agent to a server, and gives the agent its progress and log messages meanwhile. URIs are those that agents
 * see, and everything of the server is redacted.
 *
 * @returns the result; an `InputRequired` if the server asks the caller
 * @throws UserError; CancelledError; ProtocolError of the server
 */
export async function send(
  request: HostedRequest,
  { caller, signal = request.call.signal }: SendOptions = {},
): Promise<unknown> {
  const { server, method, params, ctx, call, readOnly, check } = request;
  // A server is asked for progress only if the agent wants it.
  const onProgress = call.meta?.progressToken === undefined ? undefined : progressOf(call, ctx);
  const options = { onProgress, signal, caller, ...taskOptions(request) };
  const sent = server.withClient(
    ctx.author(),
    (client) => {
      check(ctx);
      const all = withMeta(params, call, client.era === 'modern');
      return client.request(method, all, options);
    },
    { readOnly, signal, onMessage: (message) => passOn(message, request) },
  );
  const result = await sent.catch(rethrowRedacted(ctx));
  if (!(result instanceof InputRequired)) return await shown(requireResult(result, request), request);
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
const ANSWER_WAIT_MS = 10 * 60_000;

/** The key of the question of a server of the older versions. */
const QUESTION_KEY = 'question';

/** What comes next of a request: its result, or questions for the agent, which repeats the request with the answers. */
type Outcome = { result: unknown } | { asks: InputRequiredResult };

/** Names a request: its rounds have the same approval and parameters. */
const requestId = ({ server, method, params }: HostedRequest): string =>
  JSON.stringify([server.grantKey, method, params]);

function pausedOf(request: HostedRequest) {
  const known = request.server.questions.paused.get(`${fieldsOf(request.call.input.state).asking}`);
  return known?.request === requestId(request) ? known : undefined;
}

/** Whether it is a later round of a call that was approved and goes on. The state alone does not prove it: agents can keep one. */
export const isLaterRound = (request: HostedRequest): boolean => pausedOf(request) !== undefined;

/**
 * As `send`, for a request whose server may ask the agent before it answers, if its definition says so (MCP 2026-07-28, multi
 * round-trip requests; the SDK asks older agents).
 *
 * @throws as `send` does
 */
export async function sendAsking(request: HostedRequest): Promise<Outcome> {
  const { server, call } = request;
  if (server.questions.forAgents.length === 0) return { result: await send(request) };
  const { state, answers } = call.input;
  const paused = pausedOf(request);
  if (paused) return paused.goOn(call) as Promise<Outcome>;
  if (state !== undefined)
    throw new UserError('The call has ended, because its answer came too late. Call it again.');
  const more = Object.keys(answers).length > 0 ? { inputResponses: answers } : {};
  return new AskingRequest(request, more).next(call);
}

interface AgentQuestion {
  method: string;
  params: Fields;
  answer(given: unknown): void;
}

/** A request at a server that may ask. One of the older versions asks while the request goes on, a modern one by its result. */
class AskingRequest {
  readonly #request: HostedRequest;
  readonly #abort = new AbortController();
  readonly #turns = new KeyedQueue();
  readonly #result: Promise<unknown>;
  #question = Promise.withResolvers<AgentQuestion>();

  /** @param more answers and state for the server */
  constructor(request: HostedRequest, more: Fields) {
    this.#request = request;
    const { server, params, ctx, call } = request;
    const capabilities = fieldsOf(call.input.capabilities);
    const ask: AskAgent = (method, params) => {
      const [kind = ''] = method.split('/');
      if (!capabilities[kind]) throw new UserError(`The agent that called does not offer ${method}.`);
      return this.#turns.take('', () => this.#ask(method, redacted(params, ctx)));
    };
    const caller = { answers: server.questions.forAgents, capabilities, ask };
    const whole = { ...request, params: { ...params, ...more } };
    const { signal } = this.#abort;
    this.#result = server.questions.answerBy(ask, () => send(whole, { caller, signal }));
    this.#result.catch(() => {}); // nobody may be waiting for it now
  }

  /** @throws what the server answers; CancelledError */
  async next(call: Call): Promise<Outcome> {
    const either = Promise.race([this.#result.then((result) => ({ result })), this.#question.promise]);
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
      this.#question.resolve({ method, params, answer });
    });
  }

  #askAgent(call: Call, { method, params, answer }: AgentQuestion): Promise<Outcome> {
    const requests = { [QUESTION_KEY]: { method, params } } as InputRequests;
    return this.#pause(call, requests, (next) => {
      this.#question = Promise.withResolvers();
      answer(next.input.answers[QUESTION_KEY]);
      return this.next(next);
    });
  }

  /** The agent gets the server's questions under their keys; its answers go to the server with ours. */
  #passOn(call: Call, { requests, answered, requestState }: InputRequired): Promise<Outcome> {
    return this.#pause(call, requests as InputRequests, (next) => {
      const inputResponses = { ...answered, ...next.input.answers };
      const more = { inputResponses, ...(requestState !== undefined && { requestState }) };
      return new AskingRequest({ ...this.#request, call: next }, more).next(next);
    });
  }

  async #pause(
    call: Call,
    requests: InputRequests,
    goOn: (call: Call) => Promise<Outcome>,
  ): Promise<Outcome> {
    const id = randomUUID();
    const { paused } = this.#request.server.questions;
    const giveUp = () => {
      paused.delete(id);
      this.#abort.abort();
    };
    const cancel = clock.after(ANSWER_WAIT_MS, giveUp, true); // a process may end without the answer
    paused.set(id, {
      request: requestId(this.#request),
      goOn(next: Call) {
        cancel();
        paused.delete(id);
        return goOn(next);
      },
    });
    return { asks: await call.input.ask(requests, { asking: id }) };
  }
}
