import type { AwaitedInput } from '../../util/awaitedInput.ts';
import { clock, every } from '../../util/clock.ts';
import { debounce, Emitter, until } from '../../util/events.ts';
import type { Author } from '../../workspace/edit/journal.ts';
import { RunOutput } from './output.ts';

/** Milliseconds between two looks at what is printed. */
const PAUSE = 100;
/**
 * Milliseconds without output after which a program may be waiting for input: if the system tells what it waits for, or if only its
 * last line speaks for it.
 */
const SILENCE = { known: 1_000, guessed: 5_000 };

/** How a run ended: with a code, by a signal, or without having started. */
export interface RunEnd {
  exitCode?: number;
  signal?: string;
  /** Whether something that it had left in the background was ended, too. */
  hadRest?: boolean;
  /** Why it could not start or be followed, in words for the agent. */
  failed?: string;
  /** What tests or cells came to, as in "3 passed, 1 failed". */
  outcome?: string;
  stoppedBy?: StoppedBy;
}

/** `closing`: its terminal or the window was closed, which VS Code does not tell apart. */
export type StoppedBy = 'agent' | 'user' | 'closing';

export interface Running {
  /** Whether the program sees a terminal. */
  isTerminal?: boolean;
  /** What the user should know before input is sent. */
  inputNote?: string;
  /** What its program waits for now; null for nothing, undefined if that is not known. @param hasPrompt its last line has not ended */
  awaits?(hasPrompt: boolean): AwaitedInput | null | undefined;
  /** Sends input, as typed; left out if it takes none. */
  send?(text: string): void;
  /** Asks it to end, and makes it end. */
  stop(by: StoppedBy): void;
  /** Shows it to the user, who asked for it. */
  reveal?(): void;
}

/** What is known of a run before it begins. */
export type RunFacts = Pick<AgentRun, 'kind' | 'title' | 'author'> & { identity?: string };

/** Something that an agent has started: a command, a task, tests or cells of a notebook. */
export class AgentRun {
  readonly id: number;
  readonly kind: 'command' | 'task' | 'tests' | 'cells';
  /** The command line, or the name of the task. */
  readonly title: string;
  /** What runs, if it cannot run twice at a time: titles may be the same. */
  readonly identity: string | undefined;
  readonly author: Author;
  readonly startedAt = new Date();
  readonly output: RunOutput;
  endedAt: Date | undefined;
  /** Undefined while it runs. */
  result: RunEnd | undefined;
  running: Running | undefined;
  #isEnding = false;
  #printedAt = clock.now();
  readonly #changes = new Emitter();

  /** @param appRoot where VS Code is */
  constructor({ id, kind, title, identity, author, appRoot }: RunFacts & { id: number; appRoot: string }) {
    this.id = id;
    this.kind = kind;
    this.title = title;
    this.identity = identity;
    this.author = author;
    this.output = new RunOutput(kind === 'command' || kind === 'task' ? appRoot : undefined);
  }

  /** Called when it prints, and when it ends. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => this.#changes.listen(listener);

  /** Resolves once it is among the lines of the output. */
  async print(text: string): Promise<void> {
    this.#printedAt = clock.now();
    await this.output.push(text);
    this.#changes.fire();
  }

  /** Prints it, and resolves when more can come. */
  async follow(text: string): Promise<void> {
    const printed = this.print(text);
    if (this.output.isBehind) await printed;
  }

  /** Types into it. @throws Error if it takes no input */
  send(text: string): void {
    this.#printedAt = clock.now();
    this.running?.send?.(text);
  }

  /** Its program reads what is typed from now on. Silence is counted from here: it may have waited for its start. */
  takeInput(ways: Pick<Running, 'send' | 'awaits'>): void {
    this.#printedAt = clock.now();
    Object.assign(this.running ?? {}, ways);
  }

  /** Nothing that is typed from now on is its own. */
  refuseInput(): void {
    delete this.running?.send;
    delete this.running?.awaits;
  }

  /** Only the first end counts. */
  end(result: RunEnd): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.output.end(() => {
      this.result = result;
      this.endedAt = new Date();
      this.#changes.fire();
    });
  }

  /** What it seems to wait for, having printed nothing for a while. */
  get awaited(): AwaitedInput | undefined {
    const silence = clock.now() - this.#printedAt;
    if (this.result || !this.running?.awaits || silence < SILENCE.known) return undefined;
    const { isUnfinished, isFullScreen } = this.output;
    if (isFullScreen) return 'typing';
    const known = this.running.awaits(isUnfinished);
    if (known !== undefined) return known ?? undefined;
    return isUnfinished && silence >= SILENCE.guessed ? 'typing' : undefined;
  }

  /** Resolves at its end, once `isEnough` holds, or once it waits for input as it has not before; at the latest after so many milliseconds. */
  async wait(ms: number, signal: AbortSignal, isEnough: () => boolean = () => false): Promise<void> {
    const asked = this.awaited && this.#printedAt;
    const isOver = () =>
      this.result !== undefined || isEnough() || (asked !== this.#printedAt && this.awaited !== undefined);
    await until(isOver, (look) => this.#looking(look), ms, signal);
  }

  #looking(look: () => void): { dispose(): void } {
    // A program may print thousands of times a second.
    const lookSoon = debounce(look, () => ({ quiet: PAUSE, atMost: PAUSE }));
    const listening = this.onDidChange(() => (this.result ? look() : lookSoon()));
    const stop = every(SILENCE.known / 2, look);
    const dispose = () => {
      lookSoon.dispose();
      stop();
      listening.dispose();
    };
    return { dispose };
  }
}
