import { errorReply } from '../../core/errorReply.ts';
import { LIMIT_REACHED } from '../../core/jsonRpc.ts';
import { type AgentLine, lineOf, type Open } from './jsonRpc.ts';
import { acknowledged } from './notifications.ts';
import { answerTo } from './offlineAnswers.ts';
import type { Shared } from './windowSession.ts';

/** Answers of the shim while there is no window. */
export class Offline {
  /** Whether it has answered anything: then the agent's lists may differ from those of its window. */
  isUsed = false;
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Answers all open requests of a line with an error. */
  refuse(line: AgentLine, message: string): void {
    this.#say(line, this.#openOf(line), () => ({ error: errorReply(null, LIMIT_REACHED, message).error }));
  }

  /**
   * Answers a line from the catalogue, or with the problem.
   *
   * @param problem why there is no window, and what to do
   * @returns whether the line must also be sent to the next window, because it opens a stream
   */
  answer(line: AgentLine, problem: string): boolean {
    const open = this.#openOf(line);
    this.isUsed ||= open.length > 0;
    const streams = open.filter((one) => this.#shared.inFlight.streams.includes(one));
    for (const stream of streams) {
      if (!stream.isAcknowledged) this.#shared.agent.tell(acknowledged(stream));
      stream.isAcknowledged = true;
    }
    const asked = open.filter((one) => !streams.includes(one));
    this.#say(line, asked, (one) => {
      const { result, error } = answerTo(one, problem);
      if (result) this.#shared.session.answered(one, result.protocolVersion as string | undefined);
      return result ? { result } : { error };
    });
    return streams.length > 0;
  }

  #openOf = ({ requests }: AgentLine): Open[] => requests.filter((one) => this.#shared.inFlight.has(one));

  #say({ isBatch }: AgentLine, asked: readonly Open[], answer: (one: Open) => object): void {
    const answers = asked.map((one) => lineOf({ id: one.id, ...answer(one) }));
    if (isBatch && answers.length > 0)
      this.#shared.agent.tell(`[${answers.map((text) => text.trimEnd()).join(',')}]\n`);
    else for (const text of answers) this.#shared.agent.tell(text);
    for (const one of asked) this.#shared.inFlight.settle(one);
  }
}
