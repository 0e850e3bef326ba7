import type { InFlight, Open, OpenLine } from './inFlight.ts';
import { errorAnswer, type Fields, isObject, refusalOf } from './jsonRpc.ts';
import { answersTo } from './offlineAnswers.ts';
import type { Session } from './sessionState.ts';

/** What the shim says to the agent by itself, where no window does. */
export class OwnAnswers {
  /** Whether there were any: then lists that the agent knows may be others than those of its window. */
  isUsed = false;
  readonly #tell: (lines: readonly string[]) => void;
  readonly #inFlight: InFlight;
  readonly #session: Session;

  /** @param tell writes lines to the agent */
  constructor(tell: (lines: readonly string[]) => void, inFlight: InFlight, session: Session) {
    this.#tell = tell;
    this.#inFlight = inFlight;
    this.#session = session;
  }

  /** All that a line still asks gets an error. */
  refuse(line: OpenLine, message: string): void {
    this.#say(
      line,
      line.open.map((id) => errorAnswer(id, message)),
    );
    for (const id of [...line.open]) this.#inFlight.settle(id, line);
  }

  /** Answers a line that asks nothing, if it is no message at all. */
  refuseNonsense(line: OpenLine): void {
    const refusal = refusalOf(line.bytes);
    if (refusal) this.#tell([refusal]);
    this.#inFlight.forget(line);
  }

  /**
   * Answers a line from the catalogue, or with what to do.
   *
   * @param problem why there is no window, and what to do
   * @returns whether the line has to be sent to the next window all the same: it begins a stream
   */
  answer(line: OpenLine, problem: string): boolean {
    this.isUsed = true;
    const open = this.#inFlight.all.filter((one) => one.line === line);
    const streams = open.filter(({ method }) => method === 'subscriptions/listen');
    for (const stream of streams) this.#acknowledge(stream, problem);
    this.#say(
      line,
      open.filter((one) => !streams.includes(one)).flatMap((one) => this.#answerOne(one, problem)),
    );
    return streams.length > 0;
  }

  #acknowledge(stream: Open, problem: string): void {
    if (!stream.isAcknowledged) this.#tell(answersTo(stream, problem));
    stream.isAcknowledged = true;
  }

  #answerOne(open: Open, problem: string): string[] {
    const said = answersTo(open, problem);
    const { result }: { result?: Fields } = JSON.parse(said[0] ?? '{}');
    if (isObject(result)) this.#session.answered(open, result.protocolVersion as string | undefined);
    this.#inFlight.settle(open.id, open.line);
    return said;
  }

  #say({ isBatch }: OpenLine, answers: readonly string[]): void {
    if (answers.length > 0) this.#tell(isBatch ? [asBatch(answers)] : answers);
  }
}

const asBatch = (answers: readonly string[]): string =>
  `[${answers.map((answer) => answer.trimEnd()).join(',')}]\n`;
