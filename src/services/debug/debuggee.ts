import type * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { clock } from '../../util/clock.ts';
import { unlessAborted, within } from '../../util/deadline.ts';
import { Emitter } from '../../util/emitter.ts';
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

/**
 * What is debugged: a session of VS Code with its child sessions, which adapters start for processes, pages and workers. Only the
 * children have threads then.
 */
export class Debuggee {
  readonly number: number;
  readonly root: vscode.DebugSession;
  /** The agent that has started it; undefined if the user has. */
  readonly author: Author | undefined;
  readonly sessions = new Set<vscode.DebugSession>();
  readonly output = new RunOutput();
  /** Lines of the output that each agent has been told, by its id. */
  readonly told = new Map<number, number>();
  /** Its adapter has breakpoints for functions. */
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

  constructor(number: number, root: vscode.DebugSession, author: Author | undefined) {
    this.number = number;
    this.root = root;
    this.author = author;
    this.sessions.add(root);
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

  thread(session: vscode.DebugSession, id: number): DebugThread {
    const known = this.#threads.find((one) => one.session === session && one.id === id);
    if (known) return known;
    const thread: DebugThread = { number: this.#nextThread++, session, id, stop: undefined };
    this.#threads.push(thread);
    return thread;
  }

  stopsAt(thread: DebugThread, stop: Stop): void {
    thread.stop = stop;
    this.#threads = [thread, ...this.#threads.filter((one) => one !== thread)];
    this.stops++;
    this.changed();
  }

  /** @param ids of threads that are gone; all of the session if left out */
  loses(session: vscode.DebugSession, id?: number): void {
    this.#threads = this.#threads.filter(
      (one) => one.session !== session || (id !== undefined && one.id !== id),
    );
    this.changed();
  }

  end(): void {
    this.#hasEnded = true;
    this.#threads = [];
    this.output.end();
    this.changed();
  }

  changed(): void {
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
}

/** Requests after which threads run: adapters need not say so. */
export const RESUMING = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'restartFrame',
]);

export function initialized(
  debuggee: Debuggee,
  { exceptionBreakpointFilters, supportsFunctionBreakpoints }: Fields,
) {
  debuggee.filters = itemsOf(exceptionBreakpointFilters).map((one) => String(fieldsOf(one).filter));
  debuggee.hasFunctions ||= supportsFunctionBreakpoints === true;
}

/** VS Code asks for all threads at each stop; not all adapters tell when one begins. */
export function namesThreads(debuggee: Debuggee, session: vscode.DebugSession, { threads }: Fields): void {
  const known = debuggee.threads.filter((one) => one.session === session && !one.isGuess).map(({ id }) => id);
  const first = itemsOf(threads)
    .map((one) => fieldsOf(one).id)
    .find((id) => !known.includes(id as number));
  const guess = debuggee.threads.find((one) => one.session === session && one.isGuess);
  if (guess && typeof first === 'number') Object.assign(guess, { id: first, isGuess: false });
  const all = debuggee.stopped.find((one) => one.session === session && one.stop?.isOfAll);
  for (const { id, name } of itemsOf(threads).map(fieldsOf)) {
    if (typeof id !== 'number') continue;
    const thread = debuggee.thread(session, id);
    thread.name = String(name);
    if (all) thread.stop ??= { reason: `with thread ${all.number}` };
  }
}

export function resumes(
  debuggee: Debuggee,
  session: vscode.DebugSession,
  { threadId, singleThread }: Fields,
): void {
  for (const thread of debuggee.threads)
    if (thread.session === session && (!singleThread || thread.id === threadId)) thread.stop = undefined;
  debuggee.changed();
}

export function stops(debuggee: Debuggee, session: vscode.DebugSession, body: Fields): void {
  const { threadId, reason, description, text, allThreadsStopped } = body;
  const ids = debuggee.threads.filter((one) => one.session === session).map(({ id }) => id);
  const id = typeof threadId === 'number' ? threadId : (ids[0] ?? 0);
  const words = [reason === 'exception' && description, text].filter(
    (one) => typeof one === 'string' && one !== '',
  );
  const stop = {
    reason: String(reason),
    ...(words.length > 0 && { text: [...new Set(words)].join(': ') }),
    ...(allThreadsStopped === true && { isOfAll: true }),
  };
  const thread = debuggee.thread(session, id);
  if (typeof threadId !== 'number' && ids.length === 0) thread.isGuess = true;
  if (allThreadsStopped === true)
    for (const other of ids)
      debuggee.thread(session, other).stop ??= { reason: `with thread ${thread.number}` };
  debuggee.stopsAt(thread, stop);
}

export function happens(debuggee: Debuggee, session: vscode.DebugSession, { event, body }: Fields): void {
  const { threadId, reason, category, output, exitCode, allThreadsContinued } = fieldsOf(body);
  if (event === 'continued')
    resumes(debuggee, session, { threadId, singleThread: allThreadsContinued === false });
  else if (event === 'thread' && typeof threadId === 'number') {
    if (reason === 'exited') debuggee.loses(session, threadId);
    else debuggee.thread(session, threadId);
  } else if (event === 'output' && category !== 'telemetry' && typeof output === 'string')
    debuggee.output.push(output);
  else if (event === 'exited' && typeof exitCode === 'number') debuggee.exitCode = exitCode;
}
