import { UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import type { HostingOptions } from '../config/definition.ts';
import type { Answers } from '../connection/client.ts';

/** Asks an agent what a server wants to know. */
export type AskAgent = (method: string, params: Fields) => Promise<object>;

/** The questions of one server that agents answer, if its definition says so. */
export class AgentQuestions {
  /** Those questions. */
  readonly methods: readonly (keyof Answers)[];
  readonly #asking = new Set<AskAgent>();

  constructor({ sampling, elicitation }: HostingOptions) {
    this.methods = [
      ...(sampling === 'agent' ? (['sampling/createMessage'] as const) : []),
      ...(elicitation === 'agent' ? (['elicitation/create'] as const) : []),
    ];
  }

  /**
   * While it runs, questions go to `ask`. A server of the older versions does not say which call asks, so only one call of it may
   * ask at a time.
   */
  async during<T>(ask: AskAgent, run: () => Promise<T>): Promise<T> {
    this.#asking.add(ask);
    try {
      return await run();
    } finally {
      this.#asking.delete(ask);
    }
  }

  get answers(): Answers {
    return Object.fromEntries(
      this.methods.map((method) => [method, (params: Fields) => this.#ask(method, params)]),
    );
  }

  async #ask(method: string, params: Fields): Promise<object> {
    const [ask, another] = this.#asking;
    if (!ask) throw new UserError('No agent is waiting for an answer of this server, so none can be asked.');
    if (another)
      throw new UserError(
        'Several agents wait for this server, so it is unknown which to ask. Try again later.',
      );
    return ask(method, params);
  }
}
