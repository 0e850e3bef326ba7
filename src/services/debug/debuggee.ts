import type * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { clock, unlessAborted, within } from '../../util/clock.ts';
import { Emitter } from '../../util/turns.ts';
import type { Author } from '../../workspace/edit/journal.ts';
import { RunOutput } from '../run/output.ts';

/** Milliseconds for what belongs to a stop, such as the other threads, to be told. */
const SETTLING = 50;

/** Why a thread has stopped, in the adapter's words. */
export interface Stop {
  /** Such as `breakpoint`, `step`, `exception`, `pause`, `entry`. */
  reason: string;
  /** More than the reason says, such as the message of an exception. */
  text?: string;
  /** The other threads of its session have stopped too. */
  isOfAll?: boolean;
}

export interface DebugThread {
  /** For agents, 1-based; those of adapters may be the same in several sessions, and zero. */
  readonly number: number;
  readonly session: vscode.DebugSession;
  id: number;
  /** Its adapter has told a stop without its id, which is not known yet. */
  isGuess?: boolean;
  name?: string;
  /** Undefined while it runs. */
  stop: Stop | undefined;
}

/** In a configuration, which VS Code passes on to the session: names and times do not tell an agent's session from the user's. */
export const MARK = '__workspaceMcp';

/** What an agent has started, as the user was asked about it. */
export interface StartedAs {
  folder: vscode.WorkspaceFolder | undefined;
  configuration: vscode.DebugConfiguration;
  options: vscode.DebugSessionOptions;
}

/**
 * What is debugged: a session of VS Code with its child sessions, which adapters start for processes, pages and workers. Only the
 * children have threads then.
 */
export class Debuggee {
  readonly number: number;
  readonly root: vscode.DebugSession;
  /** The agent that has surely started it; undefined if the user may have. */
  readonly author: Author | undefined;
  readonly startedAs: StartedAs | undefined;
  /** The agent that was starting something when it began. VS Code does not tell whether it is that: it counts as the user's. */
  readonly beside: Author | undefined;
  readonly sessions = new Set<vscode.DebugSession>();
  readonly output = new RunOutput();
  /** Lines of the output that each agent has been told, by its id. */
  readonly told = new Map<number, number>();
  hasFunctions = false;
  /** Exception filters that its adapter has, and the request by which VS Code last chose some, by session. */
  filters: readonly string[] = [];
  readonly chosen = new Map<vscode.DebugSession, Fields>();
  stops = 0;
  exitCode: number | undefined;
  /** It was told to end: once more if VS Code was still starting it. */
  isToEnd = false;
  /** Processes that it was launched as. */
  readonly pids = new Set<number>();
  #hasEnded = false;
  #threads: DebugThread[] = [];
  #nextThread = 1;
  readonly #changes = new Emitter();

  constructor(
    number: number,
    root: vscode.DebugSession,
    { author, startedAs, beside }: Pick<Debuggee, 'author' | 'startedAs' | 'beside'>,
  ) {
    this.number = number;
    this.root = root;
    this.author = author;
    this.startedAs = startedAs;
    this.beside = beside;
    this.sessions.add(root);
  }

  /** The agent that has started it, or may have. */
  get agent(): Author | undefined {
    return this.author ?? this.beside;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get threads(): readonly DebugThread[] {
    return this.#threads;
  }

  /** The one that has stopped last comes first. */
  get stopped(): readonly DebugThread[] {
    return this.#threads.filter(({ stop }) => stop);
  }

  #thread(session: vscode.DebugSession, id: number): DebugThread {
    const known = this.#threads.find((one) => one.session === session && one.id === id);
    if (known) return known;
    const thread: DebugThread = { number: this.#nextThread++, session, id, stop: undefined };
    this.#threads.push(thread);
    return thread;
  }

  /** @param ids of threads that are gone; all of the session if left out */
  loses(session: vscode.DebugSession, id?: number): void {
    this.#threads = this.#threads.filter(
      (one) => one.session !== session || (id !== undefined && one.id !== id),
    );
    this.#changes.fire();
  }

  end(): void {
    this.#hasEnded = true;
    this.#threads = [];
    this.output.end();
    this.#changes.fire();
  }

  /** Resolves once it has stopped again or ended, at the latest after so many milliseconds. @param stops seen so far */
  async waitForStop(stops: number, ms: number, signal: AbortSignal): Promise<void> {
    const isOver = () => this.#hasEnded || (this.stops > stops && this.stopped.length > 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    let cancel: (() => void) | undefined;
    const look = () => {
      cancel = undefined;
      if (isOver()) resolve();
    };
    const soon = () => {
      if (this.#hasEnded) resolve();
      else if (isOver()) cancel ??= clock.after(SETTLING, look);
    };
    const listening = this.#changes.listen(soon);
    soon();
    await unlessAborted(within(promise, ms, undefined), signal);
    cancel?.();
    listening.dispose();
  }

  /** What its adapter can. */
  begins({ exceptionBreakpointFilters, supportsFunctionBreakpoints }: Fields): void {
    this.filters = itemsOf(exceptionBreakpointFilters).map((one) => String(fieldsOf(one).filter));
    this.hasFunctions ||= supportsFunctionBreakpoints === true;
  }

  /** VS Code asks for all threads at each stop; not all adapters tell when one begins. */
  namesThreads(session: vscode.DebugSession, { threads }: Fields): void {
    const own = this.#threads.filter((one) => one.session === session);
    const known = own.filter(({ isGuess }) => !isGuess).map(({ id }) => id);
    const told = itemsOf(threads).map(fieldsOf);
    const first = told.map(({ id }) => id).find((id) => !known.includes(id as number));
    const guess = own.find(({ isGuess }) => isGuess);
    if (guess && typeof first === 'number') Object.assign(guess, { id: first, isGuess: false });
    const all = own.find(({ stop }) => stop?.isOfAll);
    for (const { id, name } of told) {
      if (typeof id !== 'number') continue;
      const thread = this.#thread(session, id);
      thread.name = String(name);
      if (all) thread.stop ??= { reason: `with thread ${all.number}` };
    }
  }

  resumes(session: vscode.DebugSession, { threadId, singleThread }: Fields): void {
    for (const thread of this.#threads)
      if (thread.session === session && (!singleThread || thread.id === threadId)) thread.stop = undefined;
    this.#changes.fire();
  }

  stopsIn(session: vscode.DebugSession, body: Fields): void {
    const { threadId, reason, description, text, allThreadsStopped } = body;
    const ids = this.#threads.filter((one) => one.session === session).map(({ id }) => id);
    const id = typeof threadId === 'number' ? threadId : (ids[0] ?? 0);
    const given = [reason === 'exception' && description, text];
    const words = given.filter((one) => typeof one === 'string' && one !== '');
    const thread = this.#thread(session, id);
    if (typeof threadId !== 'number' && ids.length === 0) thread.isGuess = true;
    if (allThreadsStopped === true)
      for (const other of ids)
        this.#thread(session, other).stop ??= { reason: `with thread ${thread.number}` };
    thread.stop = {
      reason: String(reason),
      ...(words.length > 0 && { text: [...new Set(words)].join(': ') }),
      ...(allThreadsStopped === true && { isOfAll: true }),
    };
    this.#threads = [thread, ...this.#threads.filter((one) => one !== thread)];
    this.stops++;
    this.#changes.fire();
  }

  happens(session: vscode.DebugSession, { event, body }: Fields): void {
    const { threadId, reason, category, output, exitCode, allThreadsContinued } = fieldsOf(body);
    if (event === 'continued')
      this.resumes(session, { threadId, singleThread: allThreadsContinued === false });
    else if (event === 'thread' && typeof threadId === 'number') {
      if (reason === 'exited') this.loses(session, threadId);
      else this.#thread(session, threadId);
    } else if (event === 'output' && category !== 'telemetry' && typeof output === 'string')
      this.output.push(output);
    else if (event === 'exited' && typeof exitCode === 'number') this.exitCode = exitCode;
  }
}
