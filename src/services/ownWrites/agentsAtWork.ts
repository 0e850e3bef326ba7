import { clock } from '../../util/clock.ts';
import type { Author } from '../../workspace/edit/journal.ts';

/** After so many milliseconds without an end, a call counts as interrupted. */
const LONGEST_CALL = 30 * 60_000;

/** A call that goes on. */
export interface Running {
  /** By the clock of the process, in milliseconds. */
  since: number;
  /** Absolute paths of what it edits; undefined for a command, which may change any file. */
  paths: readonly string[] | undefined;
  /** Others whose commands ran at the same time, by the author's id. */
  beside: Map<number, Author>;
}

/** An agent at work: from its first hook to the end of its turn. */
export interface Work {
  author: Author;
  /** By the key of the call. */
  calls: Map<string, Running>;
  /** Files that were recorded in this turn. */
  count: number;
}

/** Which agents are at work with tools of their own, and what they run. */
export class AgentsAtWork {
  /** By the agent's session. */
  readonly #works = new Map<string, Work>();

  get isNone(): boolean {
    return this.#works.size === 0;
  }

  /** An agent that is at work. Its author may be another by now, whose MCP server has come. */
  get(session: string, author: Author): Work | undefined {
    const work = this.#works.get(session);
    if (work) work.author = author;
    return work;
  }

  begin(session: string, author: Author): Work {
    const work: Work = { author, calls: new Map(), count: 0 };
    this.#works.set(session, work);
    return work;
  }

  /** Does nothing if that session has begun another one. */
  end(session: string, work: Work): void {
    if (this.#works.get(session) === work) this.#works.delete(session);
  }

  /** Forgets who runs nothing: not every agent tells the end of a turn. */
  endIdle(): void {
    for (const [session, { calls }] of this.#works)
      if (![...calls.values()].some(isRunning)) this.#works.delete(session);
  }

  clear(): void {
    this.#works.clear();
  }

  /** An agent runs a call, from now on. */
  run(work: Work, key: string, paths: readonly string[] | undefined): void {
    const running: Running = { since: clock.now(), paths, beside: new Map() };
    // Earlier ones have ended, though not every agent tells it of a call that failed. A command may run beside an edit.
    for (const [old, { paths: named }] of work.calls) if (named || !paths) work.calls.delete(old);
    for (const [other, call] of paths ? [] : this.#callsBeside(work)) {
      if (call.paths) continue;
      call.beside.set(work.author.id, work.author);
      running.beside.set(other.id, other);
    }
    work.calls.set(key, running);
  }

  /** What the calls of others name that go on. */
  namedBeside(work: Work): ReadonlySet<string> {
    const running = this.#callsBeside(work).map(([, call]) => call);
    return new Set(running.filter(isRunning).flatMap(({ paths = [] }) => paths));
  }

  #callsBeside(work: Work): [by: Author, call: Running][] {
    const others = [...this.#works.values()].filter((one) => one !== work);
    return others.flatMap(({ author, calls }) =>
      [...calls.values()].map((call): [Author, Running] => [author, call]),
    );
  }
}

const isRunning = ({ since }: Running): boolean => clock.now() - since < LONGEST_CALL;

/** Whether a command of it goes on. */
export const runsCommand = ({ calls }: Work): boolean => [...calls.values()].some(({ paths }) => !paths);
