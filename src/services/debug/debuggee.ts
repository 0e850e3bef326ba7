import type * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { clock } from '../../util/clock.ts';
import { Emitter, until } from '../../util/events.ts';
import type { Author } from '../../workspace/edit/journal.ts';
import { RunOutput } from '../run/output.ts';
import { Bindings } from './bindings.ts';
import { Threads } from './threads.ts';

/** Milliseconds for a busy workbench to tell adapters of a breakpoint, and for them to answer. */
const ANSWERING = 10_000;
/** Milliseconds for running adapters to bind a breakpoint that they know. */
const BINDING = 1_000;
/** Milliseconds for what belongs to a stop, such as the other threads, to be told. */
const SETTLING = 50;

/** What adapters print of a condition or hit count of a breakpoint that they cannot evaluate. */
const COMPLAINT = /\bbreakpoint\b|\bhit (condition|count)\b/i;
const MOST_COMPLAINTS = 10;

/** What Node says of its debugger among the errors of a program. */
const OF_NODE = /^(?:Debugger attached|Waiting for the debugger to disconnect\.\.)\.\r?\n?/gm;

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
  /** What an answer of the user for this session is kept by: of all that one start begins, or VS Code's id of the session. */
  readonly key: string;
  /** The agent that has surely started it; undefined if the user may have. */
  readonly author: Author | undefined;
  readonly startedAs: StartedAs | undefined;
  /** The agent that was starting something when it began. VS Code does not tell whether it is that: it counts as the user's. */
  readonly beside: Author | undefined;
  readonly sessions = new Set<vscode.DebugSession>();
  readonly output = new RunOutput();
  /** Lines of the output that each agent was shown, by its id. */
  readonly shownLines = new Map<number, number>();
  /** Undefined until an adapter has told what it can. */
  hasFunctions: boolean | undefined;
  readonly bindings = new Bindings();
  /** Ids of the breakpoints that were set for its start, or while it ran. */
  readonly wanted = new Set<string>();
  /** Ids of the breakpoints that there were at its end. */
  breakpointsAtEnd: readonly string[] = [];
  /** What adapters have said of conditions and the like that they cannot evaluate. */
  readonly complaints: string[] = [];
  /** Exception filters that its adapter has, and the request by which VS Code last chose some, by session. */
  filters: readonly string[] = [];
  readonly chosen = new Map<vscode.DebugSession, Fields>();
  exitCode: number | undefined;
  /** Why its adapter could not launch it, or attach. */
  failed: string | undefined;
  /** It was told to end: once more if VS Code was still starting it. */
  isToEnd = false;
  /** Processes that it was launched as. */
  readonly pids = new Set<number>();
  hasEnded = false;
  /** The category of what was printed last. */
  #printed: unknown;
  readonly #changes = new Emitter();
  readonly threads = new Threads(this.#changes);

  constructor(
    number: number,
    root: vscode.DebugSession,
    { key, author, startedAs, beside }: Pick<Debuggee, 'key' | 'author' | 'startedAs' | 'beside'>,
  ) {
    this.number = number;
    this.root = root;
    this.key = key;
    this.author = author;
    this.startedAs = startedAs;
    this.beside = beside;
    this.sessions.add(root);
  }

  /** The agent that has started it, or may have. */
  get agent(): Author | undefined {
    return this.author ?? this.beside;
  }

  end(): void {
    this.hasEnded = true;
    this.threads.all = [];
    this.output.end();
    this.#changes.fire();
  }

  /** Resolves once it has stopped again or ended, at the latest after so many milliseconds. @param stops seen so far */
  async waitForStop(stops: number, ms: number, signal: AbortSignal): Promise<void> {
    const isOver = () => this.hasEnded || (this.threads.stops > stops && this.threads.stopped.length > 0);
    const end = clock.now() + ms;
    do {
      await this.#until(isOver, end - clock.now(), signal);
      await this.#until(() => this.hasEnded, Math.min(SETTLING, end - clock.now()), signal);
    } while (!isOver() && clock.now() < end && !signal.aborted);
  }

  /** Resolves once a session has bound a breakpoint that has just been added, at the latest a second after the first has answered. */
  async waitForBinding(breakpoint: vscode.Breakpoint, signal: AbortSignal): Promise<void> {
    const isFunction = !('location' in breakpoint);
    if (isFunction && this.hasFunctions === false) return; // VS Code tells no session of it
    const { sent } = this.bindings;
    const added = () => this.bindings.of(breakpoint, sent) ?? [];
    const isBound = () => this.hasEnded || added().some(({ verified }) => verified);
    const hasAnswer = () => isBound() || added().some(({ isAnswered }) => isAnswered);
    await this.#until(hasAnswer, ANSWERING, signal);
    await this.#until(isBound, BINDING, signal);
  }

  #until(isSo: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    return until(isSo, (look) => this.#changes.listen(look), ms, signal);
  }

  /** What its adapter can. */
  #learnCapabilities({ exceptionBreakpointFilters, supportsFunctionBreakpoints }: Fields): void {
    this.filters = itemsOf(exceptionBreakpointFilters).map((one) => String(fieldsOf(one).filter));
    this.hasFunctions = this.hasFunctions === true || supportsFunctionBreakpoints === true;
  }

  handleEvent(session: vscode.DebugSession, { event, body }: Fields): void {
    const { threadId, reason, exitCode, allThreadsContinued, breakpoint } = fieldsOf(body);
    if (event === 'continued')
      this.threads.run(session, { threadId, singleThread: allThreadsContinued === false });
    else if (event === 'thread' && typeof threadId === 'number') {
      if (reason === 'exited') this.threads.remove(session, threadId);
      else this.threads.of(session, threadId);
    } else if (event === 'output') this.#print(session, fieldsOf(body));
    else if (event === 'exited' && typeof exitCode === 'number') this.exitCode = exitCode;
    else if (event === 'breakpoint') {
      this.bindings.changes(session, fieldsOf(breakpoint));
      this.#changes.fire();
    }
  }

  /** An adapter answers a request of VS Code. */
  handleResponse(session: vscode.DebugSession, response: Fields): void {
    const { command } = response;
    const body = fieldsOf(response.body);
    if (command === 'initialize') this.#learnCapabilities(body);
    else if (command === 'threads') this.threads.areNamed(session, body);
    else if (command === 'setBreakpoints' || command === 'setFunctionBreakpoints') {
      this.bindings.isAnswered(session, response);
      this.#changes.fire();
    }
  }

  #print({ type }: vscode.DebugSession, { category, output }: Fields): void {
    if (category === 'telemetry' || typeof output !== 'string') return;
    const isOfNode = category === 'stderr' && type === 'pwa-node';
    const text = isOfNode ? output.replaceAll(OF_NODE, '') : output;
    if (text === '') return;
    if (category !== this.#printed && this.output.isUnfinished) this.output.push('\n'); // VS Code begins a line, too
    this.#printed = category;
    this.output.push(text);
    if (category === 'stdout') return;
    if (COMPLAINT.test(output) && this.complaints.length < MOST_COMPLAINTS)
      this.complaints.push(output.trim());
    // The debugger for JavaScript sends no event for it.
    const exited = type.startsWith('pwa-') && /^Process exited with code (\d+)\s*$/.exec(output)?.[1];
    if (exited) this.exitCode = Number(exited);
  }
}
