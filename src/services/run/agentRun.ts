import { clock, unlessAborted, within } from '../../util/clock.ts';
import { Emitter } from '../../util/turns.ts';
import type { Author } from '../../workspace/edit/journal.ts';
import { RunOutput } from './output.ts';

/** Milliseconds between two looks at what is printed. */
const PAUSE = 100;

/** How a run ended: with a code, by a signal, or without having started. */
export interface RunEnd {
  exitCode?: number;
  signal?: string;
  /** Whether something that it had left in the background was ended, too. */
  hadRest?: boolean;
  /** Why it could not start or be followed, in words for the agent. */
  failed?: string;
  /** Of tests or cells, as in "3 passed, 1 failed". */
  outcome?: string;
  /** Whether somebody stopped it. */
  stoppedBy?: 'agent' | 'user';
}

export interface Running {
  /** Whether the program sees a terminal. */
  isTerminal?: boolean;
  /** What the user should know before input is sent. */
  inputNote?: string;
  /** Sends input, as typed; left out if it takes none. */
  send?(text: string): void;
  /** Asks it to end, and makes it end. */
  stop(by: 'agent' | 'user'): void;
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
  readonly output = new RunOutput();
  endedAt: Date | undefined;
  /** Undefined while it runs. */
  result: RunEnd | undefined;
  running: Running | undefined;
  readonly #changes = new Emitter();

  constructor({ id, kind, title, identity, author }: RunFacts & { id: number }) {
    this.id = id;
    this.kind = kind;
    this.title = title;
    this.identity = identity;
    this.author = author;
  }

  /** Called when it prints, and when it ends. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => this.#changes.listen(listener);

  print(text: string): void {
    this.output.push(text);
    this.#changes.fire();
  }

  /** Only the first end counts. */
  end(result: RunEnd): void {
    if (this.result) return;
    this.output.end();
    this.result = result;
    this.endedAt = new Date();
    this.#changes.fire();
  }

  /** Resolves at its end, or once `isEnough` holds, at the latest after so many milliseconds. */
  async wait(ms: number, signal: AbortSignal, isEnough: () => boolean = () => false): Promise<void> {
    if (this.result || isEnough()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    let cancel: (() => void) | undefined;
    const look = (): void => {
      cancel = undefined;
      if (this.result || isEnough()) resolve();
    };
    const listening = this.onDidChange(() => {
      if (this.result) resolve();
      else cancel ??= clock.after(PAUSE, look); // a program may print thousands of times a second
    });
    await unlessAborted(within(promise, ms, undefined), signal);
    cancel?.();
    listening.dispose();
  }
}
