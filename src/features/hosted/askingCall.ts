import { randomUUID } from 'node:crypto';
import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { CancelledError, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import { unlessAborted } from '../../util/deadline.ts';
import { Turns } from '../../util/keyedQueue.ts';
import type { Call } from '../call.ts';

/** How long an agent may take to answer, in milliseconds: as long as the state that it carries is valid. */
const PATIENCE = 10 * 60_000;

/** The key of the question in a round of input. */
const QUESTION = 'question';

interface Question {
  method: string;
  params: Fields;
  resolve(answer: object): void;
  reject(error: Error): void;
}

/** Calls that go on while their agents are asked, by id. */
const waiting = new Map<string, AskingCall>();

/**
 * A call of a server that may ask the agent before it answers. The agent gets each question as the result of a round, and repeats its
 * request with the answer (MCP 2026-07-28; the SDK does both for older agents); meanwhile the call at the server goes on.
 */
class AskingCall {
  /** The call, as `callId` names it. */
  readonly of: string;
  readonly #id = randomUUID();
  readonly #abort = new AbortController();
  readonly #turns = new Turns();
  readonly #result: Promise<unknown>;
  #asked = Promise.withResolvers<Question>();
  #late: NodeJS.Timeout | undefined;

  constructor(
    server: Hosted,
    of: string,
    capabilities: Fields,
    run: (signal: AbortSignal) => Promise<unknown>,
  ) {
    this.of = of;
    const ask = (method: string, params: Fields) => {
      const [kind = ''] = method.split('/');
      if (!capabilities[kind]) throw new UserError(`The agent that called does not offer ${method}.`);
      return this.#turns.take('', () => this.#ask(method, params));
    };
    this.#result = server.questions.during(ask, () => run(this.#abort.signal));
    this.#result.catch(() => {}); // nobody may be waiting for it now
  }

  /** What comes next: the result, or a question for the agent. @throws what the server answers; CancelledError */
  async next(call: Call): Promise<{ result: unknown } | { asks: InputRequiredResult }> {
    const either = Promise.race([this.#result.then((result) => ({ result })), this.#asked.promise]);
    const came = await unlessAborted(either, call.signal);
    if (!came) {
      this.#abort.abort();
      throw new CancelledError('The request was cancelled.');
    }
    if ('result' in came) return came;
    waiting.set(this.#id, this);
    this.#late = setTimeout(() => this.#end(), PATIENCE);
    const { method, params } = came;
    const requests = { [QUESTION]: { method, params } } as Parameters<Call['input']['ask']>[0];
    return { asks: await call.input.ask(requests, { asking: this.#id }) };
  }

  async answered(answer: unknown): Promise<void> {
    clearTimeout(this.#late);
    waiting.delete(this.#id);
    const { resolve, reject } = await this.#asked.promise;
    this.#asked = Promise.withResolvers();
    if (answer === undefined) reject(new UserError('The agent gave no answer.'));
    else resolve(fieldsOf(answer));
  }

  #ask(method: string, params: Fields): Promise<object> {
    const { promise, resolve, reject } = Promise.withResolvers<object>();
    this.#asked.resolve({ method, params, resolve, reject });
    return promise;
  }

  #end(): void {
    waiting.delete(this.#id);
    this.#abort.abort();
  }
}

/** Names a call: the rounds of one have the same server, tool and arguments. */
export const callId = ({ key }: Hosted, tool: unknown, args: Fields): string =>
  JSON.stringify([key, tool, args]);

const waitingFor = ({ input }: Call, of: string): AskingCall | undefined => {
  const known = waiting.get(`${fieldsOf(input.state).asking}`);
  return known?.of === of ? known : undefined;
};

/** Whether it is a later round of a call that goes on, and so was approved. The state alone does not prove it: agents can keep one. */
export const goesOn = (call: Call, of: string): boolean => waitingFor(call, of) !== undefined;

/** Runs a call whose server may ask the agent: starts it, or goes on with the agent's answer. @throws as the call does */
export async function askingAgent(
  server: Hosted,
  call: Call,
  of: string,
  run: (signal: AbortSignal) => Promise<unknown>,
): Promise<{ result: unknown } | { asks: InputRequiredResult }> {
  const { input } = call;
  if (input.state === undefined)
    return new AskingCall(server, of, fieldsOf(input.capabilities), run).next(call);
  const known = waitingFor(call, of);
  if (!known)
    throw new UserError('The call has ended, because its answer came too late. Call the tool again.');
  await known.answered(input.answers[QUESTION]);
  return known.next(call);
}
