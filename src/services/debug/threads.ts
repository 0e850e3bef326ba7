/** VS Code does not tell which threads a program has, and why they have stopped: that is in the messages of their adapters. */
import type * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import type { Emitter } from '../../util/events.ts';

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

/** The threads of a debuggee, in all of its sessions. */
export class Threads {
  /** The one that has stopped last comes first. */
  all: readonly DebugThread[] = [];
  stops = 0;
  hasStoppedAtException = false;
  #next = 1;
  readonly #changes: Emitter;

  /** @param changes fired when one stops, goes on or ends */
  constructor(changes: Emitter) {
    this.#changes = changes;
  }

  get stopped(): readonly DebugThread[] {
    return this.all.filter(({ stop }) => stop);
  }

  of(session: vscode.DebugSession, id: number): DebugThread {
    const known = this.all.find((one) => one.session === session && one.id === id);
    if (known) return known;
    const thread: DebugThread = { number: this.#next++, session, id, stop: undefined };
    this.all = [...this.all, thread];
    return thread;
  }

  /** @param id of the one that is gone; all of the session if left out */
  remove(session: vscode.DebugSession, id?: number): void {
    this.all = this.all.filter((one) => one.session !== session || (id !== undefined && one.id !== id));
    this.#changes.fire();
  }

  /** VS Code asks for all threads at each stop; not all adapters tell when one begins. */
  areNamed(session: vscode.DebugSession, { threads }: Fields): void {
    const own = this.all.filter((one) => one.session === session);
    const known = own.filter(({ isGuess }) => !isGuess).map(({ id }) => id);
    const named = itemsOf(threads).map(fieldsOf);
    const first = named.map(({ id }) => id).find((id) => !known.includes(id as number));
    const guess = own.find(({ isGuess }) => isGuess);
    if (guess && typeof first === 'number') Object.assign(guess, { id: first, isGuess: false });
    const all = own.find(({ stop }) => stop?.isOfAll);
    for (const { id, name } of named) {
      if (typeof id !== 'number') continue;
      const thread = this.of(session, id);
      thread.name = String(name);
      if (all) thread.stop ??= { reason: `with thread ${all.number}` };
    }
  }

  run(session: vscode.DebugSession, { threadId, singleThread }: Fields): void {
    for (const thread of this.all)
      if (thread.session === session && (!singleThread || thread.id === threadId)) thread.stop = undefined;
    this.#changes.fire();
  }

  stop(session: vscode.DebugSession, body: Fields): void {
    const { threadId, reason, description, text, allThreadsStopped } = body;
    const others = this.all.filter((one) => one.session === session);
    const thread = this.of(session, typeof threadId === 'number' ? threadId : (others[0]?.id ?? 0));
    if (typeof threadId !== 'number' && others.length === 0) thread.isGuess = true;
    const given = [reason === 'exception' && description, text];
    const words = given.filter((one) => typeof one === 'string' && one !== '');
    const isOfAll = allThreadsStopped === true;
    if (isOfAll) for (const other of others) other.stop ??= { reason: `with thread ${thread.number}` };
    thread.stop = {
      reason: String(reason),
      ...(words.length > 0 && { text: [...new Set(words)].join(': ') }),
      ...(isOfAll && { isOfAll }),
    };
    this.all = [thread, ...this.all.filter((one) => one !== thread)];
    this.stops++;
    this.hasStoppedAtException ||= reason === 'exception';
    this.#changes.fire();
  }
}
