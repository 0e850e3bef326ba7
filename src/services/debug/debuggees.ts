/** VS Code tells extensions which sessions there are, and not what is stopped where: that is in the messages of their adapters. */
import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { isUnwanted } from '../../core/cancelled.ts';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { unlessAborted, within } from '../../util/clock.ts';
import { Emitter } from '../../util/events.ts';
import type { Author } from '../../workspace/edit/journal.ts';
import { LastWatch } from '../run/lastWatch.ts';
import { Debuggee, MARK, type StartedAs } from './debuggee.ts';
import { onExit } from './exitCodes.ts';

/** Most that have ended and are kept: for their output. */
const MOST_ENDED = 10;
/** Milliseconds for a program to end once its adapter was told to. */
const ENDING = 5_000;

/** Requests after which threads run: adapters need not say so. */
const RESUMING = /^(continue|next|step(In|Out|Back)|reverseContinue|restartFrame)$/;

/** Whether the next session without a mark may be one of its sessions: of tests, or of an extension that drops the mark. */
const isOpen = ({ marked, found, beside }: Start): boolean =>
  beside.length === 0 && (marked.size > 0 || found.length === 0);

const LATE = Symbol();
/** Never aborted. */
const NEVER = new AbortController().signal;

/** A start by an agent, until VS Code has answered. */
interface Start {
  key: string;
  author: Author;
  /** What begins with each mark, until it has. None of what extensions start, as tests. */
  marked: Map<unknown, StartedAs>;
  found: Debuggee[];
  /** Sessions without a mark that have begun meanwhile. */
  beside: Debuggee[];
  onFound(): void;
  /** Its agent is gone. */
  isOver: boolean;
}

/** What is debugged in this window, since its first agent connected. */
export class Debuggees {
  readonly #code: typeof vscode;
  readonly #filtersOf: (author: Author) => readonly string[];
  #all: Debuggee[] = [];
  #next = 1;
  readonly #starts = new Set<Start>();
  readonly #watch = new LastWatch();
  readonly #changes = new Emitter();
  readonly #listening: vscode.Disposable;

  /** @param filtersOf exception filters that an agent has chosen for its sessions */
  constructor(code: typeof vscode, filtersOf: (author: Author) => readonly string[]) {
    this.#code = code;
    this.#filtersOf = filtersOf;
    const { debug, Disposable } = code;
    this.#listening = Disposable.from(
      debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => this.#tracker(session),
      }),
      debug.onDidStartDebugSession((session) => {
        if (this.#of(session).isToEnd) void debug.stopDebugging(session);
      }),
      debug.onDidTerminateDebugSession((session) => this.#ends(session)),
    );
    if (debug.activeDebugSession) this.#of(debug.activeDebugSession);
  }

  /** Newest first. */
  get all(): readonly Debuggee[] {
    return this.#all;
  }

  /** Called when one begins, stops, goes on or ends. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => this.#changes.listen(listener);

  /** What an agent is told while nothing is debugged. */
  get none(): string {
    return [...this.#starts].some(({ found, beside }) => found.length + beside.length === 0)
      ? 'VS Code has not started it yet: call debug_state again.'
      : 'Nothing is debugged in this window now: call debug_start.';
  }

  /** @throws UserError if there is none */
  get(number: number): Debuggee {
    const found = this.#all.find((one) => one.number === number);
    if (found) return found;
    const known = this.#all.map((one) => one.number).join(', ');
    throw new UserError(
      known === '' ? this.none : `There is no debug session ${number}. Those of this window are ${known}.`,
    );
  }

  /**
   * Resolves with what has begun as soon as it has, at the latest after so many milliseconds.
   *
   * @param key of what begins, for answers of the user. @param what configurations, or a function with which an extension starts something
   * @returns undefined if VS Code has not started it yet: it runs a task first, or asks the user something
   * @throws UserError if VS Code does not start it
   */
  async start(
    what: readonly StartedAs[] | (() => PromiseLike<unknown>),
    { key, author, ms, signal }: { key: string; author: Author; ms: number; signal: AbortSignal },
  ): Promise<Debuggee | undefined> {
    const { promise: isFound, resolve } = Promise.withResolvers<boolean>();
    const parts = typeof what === 'function' ? [] : what.map((one) => [randomUUID(), one] as const);
    const found = { found: [], beside: [], onFound: () => resolve(true) };
    const start: Start = { key, author, marked: new Map(parts), ...found, isOver: false };
    this.#starts.add(start);
    const exits = onExit((pid, code) => {
      for (const one of this.#all) if (one.pids.has(pid)) one.exitCode ??= code;
    });
    const beginning = typeof what === 'function' ? what() : this.#startAll(parts);
    const begun = Promise.resolve(beginning).finally(() => {
      exits.dispose();
      this.#starts.delete(start);
    });
    begun.catch(() => {}); // also if it fails later than anybody waits
    let answer: unknown;
    try {
      answer = await unlessAborted(within(Promise.race([isFound, begun]), ms, LATE), signal);
    } catch (error) {
      throw new UserError(`VS Code did not start it: ${(error as Error).message}`);
    }
    if (isUnwanted(signal)) start.isOver = true;
    const isBegun = answer !== LATE && answer !== false;
    const first = start.found[0] ?? (isBegun ? start.beside[0] : undefined);
    if (answer !== LATE && !signal.aborted && !first)
      throw new UserError(
        'VS Code did not start it, and has told the user why. Ask them, or check the configuration: variables of a file need an open editor.',
      );
    return first;
  }

  /** Waits for all: one that fails does not end the others. @returns false if VS Code starts none, and has told the user why. @throws what VS Code says if it starts none */
  async #startAll(parts: readonly (readonly [mark: string, StartedAs])[]): Promise<boolean> {
    const { debug } = this.#code;
    const all = parts.map(async ([mark, { folder, configuration, options }]) =>
      debug.startDebugging(folder, { ...configuration, [MARK]: mark }, options),
    );
    const results = await Promise.allSettled(all);
    const failed = results.find((one) => one.status === 'rejected');
    const hasBegun = results.some((one) => one.status === 'fulfilled' && one.value);
    if (failed && !hasBegun) throw failed.reason;
    return hasBegun;
  }

  /** Resolves once it has ended, or has not although it was told twice: some adapters only ask their program at first. */
  async stop(debuggee: Debuggee, signal: AbortSignal = NEVER): Promise<void> {
    debuggee.isToEnd = true;
    for (let times = 2; times > 0 && !debuggee.hasEnded && !signal.aborted; times--) {
      void this.#code.debug.stopDebugging(debuggee.root);
      if (times === 1) for (const pid of debuggee.pids) this.#watch.kill(pid); // its output may keep its adapter from hearing us
      await debuggee.waitForStop(Number.POSITIVE_INFINITY, ENDING, signal);
    }
  }

  /** Ends what an agent has started, also what VS Code is still to start. @param id of its author; of all agents if left out */
  stopOf(id?: number): void {
    const isMeant = (author?: Author) => author && (id === undefined || author.id === id);
    for (const start of this.#starts) if (isMeant(start.author)) start.isOver = true;
    for (const debuggee of this.#all) if (isMeant(debuggee.author)) void this.stop(debuggee);
  }

  dispose(): void {
    this.stopOf();
    this.#listening.dispose();
    this.#watch.dispose();
  }

  #of(session: vscode.DebugSession): Debuggee {
    const known = this.#all.find(({ sessions }) => sessions.has(session));
    if (known) return known;
    if (session.parentSession) {
      const parent = this.#of(session.parentSession);
      parent.sessions.add(session);
      this.#watches(parent, /^pwa-node .* \[(\d+)\]$/s.exec(`${session.type} ${session.name}`)?.[1]);
      return parent;
    }
    const mark: unknown = session.configuration[MARK];
    const start = [...this.#starts].find(({ marked }) => marked.has(mark));
    const others = start ? [] : [...this.#starts].filter(isOpen);
    const by = {
      key: start?.key ?? session.id,
      author: start?.author,
      startedAs: start?.marked.get(mark),
      beside: others[0]?.author,
    };
    const debuggee = new Debuggee(this.#next++, session, by);
    start?.marked.delete(mark); // a session that VS Code starts again is the user's
    const ended = this.#all.filter(({ hasEnded }) => hasEnded).slice(MOST_ENDED - 1);
    this.#all = [debuggee, ...this.#all.filter((one) => !ended.includes(one))];
    start?.found.push(debuggee);
    start?.onFound();
    for (const one of others) {
      one.beside.push(debuggee);
      if (one.marked.size === 0) one.onFound();
    }
    if (start?.isOver) debuggee.isToEnd = true;
    this.#changes.fire();
    return debuggee;
  }

  /** VS Code tells the user why a start fails, and not always us that the session has ended. */
  #fails(session: vscode.DebugSession, { command, message, body }: Fields): void {
    if (command !== 'launch' && command !== 'attach') return;
    const debuggee = this.#of(session);
    if (session === debuggee.root) debuggee.failed = String(fieldsOf(fieldsOf(body).error).format ?? message);
    else debuggee.output.push(`${fieldsOf(fieldsOf(body).error).format ?? message}\n`);
    this.#ends(session);
  }

  #ends(session: vscode.DebugSession): void {
    const debuggee = this.#of(session);
    debuggee.threads.remove(session);
    if (session === debuggee.root) {
      debuggee.breakpointsAtEnd = this.#code.debug.breakpoints.map(({ id }) => id);
      debuggee.end();
      for (const pid of debuggee.pids) this.#watch.remove(pid);
    }
    this.#changes.fire();
  }

  /** The debugger for JavaScript has it in the name of a session, others tell it by an event. */
  #watches({ author, root, pids }: Debuggee, told: unknown): void {
    const pid = Number(told ?? 0);
    if (!author || root.configuration.request !== 'launch' || !Number.isInteger(pid) || pid < 2) return;
    pids.add(pid);
    this.#watch.add(pid);
  }

  #tracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    const debuggee = this.#of(session);
    /** Puts back what a request changed, by its number: the adapter may refuse it. */
    const undo = new Map<unknown, () => void>();
    return {
      onWillReceiveMessage: (message: Fields) => {
        const { type, seq, command, arguments: args } = message;
        if (type !== 'request') return;
        debuggee.bindings.isSent(session, message);
        if (command === 'setExceptionBreakpoints') this.#addFilters(debuggee, session, fieldsOf(args));
        if (!RESUMING.test(String(command))) return;
        const before = debuggee.threads.all.map((thread) => [thread, thread.stop] as const);
        undo.set(seq, () => {
          for (const [thread, stop] of before) thread.stop = stop;
        });
        debuggee.threads.run(session, fieldsOf(args));
      },
      onDidSendMessage: (message: Fields) => {
        if (message.type === 'response') {
          if (message.success === false) {
            undo.get(message.request_seq)?.();
            this.#fails(session, message);
          }
          undo.delete(message.request_seq);
          debuggee.handleResponse(session, message);
        }
        if (message.type !== 'event') return;
        if (message.event === 'process') this.#watches(debuggee, fieldsOf(message.body).systemProcessId);
        if (message.event !== 'stopped') return debuggee.handleEvent(session, message);
        const body = fieldsOf(message.body);
        debuggee.threads.stop(session, body);
        // A property of the protocol: VS Code would move the keyboard to the line, where the user may be typing elsewhere.
        if (debuggee.agent) message.body = { ...body, preserveFocusHint: true };
        this.#changes.fire();
      },
    };
  }

  /** In the request by which VS Code sends those that the user has chosen: it would replace ours. */
  #addFilters(debuggee: Debuggee, session: vscode.DebugSession, request: Fields): void {
    debuggee.chosen.set(session, { ...request });
    const own = debuggee.agent ? this.#filtersOf(debuggee.agent) : [];
    if (own.length > 0) request.filters = [...new Set([...itemsOf(request.filters), ...own])];
  }
}
