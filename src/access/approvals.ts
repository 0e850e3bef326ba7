import type * as vscode from 'vscode';
import { CancelledError, UserError } from '../protocol/errors.ts';
import type { Log } from '../util/log.ts';
import type { Operation } from './policy.ts';

/** What needs consent: everything but reading. */
export type ApprovalKind = Exclude<Operation, 'read'>;

/** One thing that an agent wants to do. */
export interface ApprovalRequest {
  kind: ApprovalKind;
  /** Name of the tool. */
  tool: string;
  /** What would happen, in a line. */
  summary: string;
  /** The text before and after, of an edit. */
  diff?: { uri: vscode.Uri; before: string; after: string };
}

/** The same, as it is put to the person. */
export interface Question extends ApprovalRequest {
  /** Its number: an answer that was meant for another question does not count. */
  id: number;
  /** Who asks, as it calls itself. */
  agent: string;
  /** How many more are waiting behind it. */
  waiting(): number;
  /** When the question ends by itself, in milliseconds since the epoch. */
  endsAt: number;
}

export type Answer = { allow: 'once' | 'session' | 'workspace' } | { deny: string };

/** How long a question waits for an answer, in milliseconds. */
export const APPROVAL_TIME = 5 * 60_000;

export interface ApprovalOptions {
  /** The person's default for a kind. */
  setting(kind: ApprovalKind): 'allow' | 'ask' | 'deny';
  /** Kinds that are always allowed in this workspace. */
  store: { get(): readonly ApprovalKind[]; set(kinds: readonly ApprovalKind[]): PromiseLike<void> };
  /** Puts a question to the person; it is taken away when the signal is aborted, and the next one may come in that moment. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  log: Log;
  /** Milliseconds; tests have less patience. */
  time?: number;
}

/** What a connection has been allowed for its time. */
export interface Grantee {
  agent(): string;
  granted: Set<ApprovalKind>;
}

/**
 * Consent to what agents do, from the person at the editor. Nothing that an agent sends answers a question. Questions wait
 * in a queue, so that the person has one in front of them at a time.
 */
export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #listeners = new Set<() => void>();
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #lastId = 0;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** Resolves when the operation may go on. @throws UserError where it is denied, with the reason; CancelledError */
  async require(request: ApprovalRequest, grantee: Grantee, signal: AbortSignal): Promise<void> {
    if (this.#isSettled(request, grantee)) return;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#time);
    const ended = AbortSignal.any([signal, late.signal]);
    const endsAt = Date.now() + this.#time;
    this.#count(1);
    const turn = this.#queue.then(() => this.#turn(request, grantee, endsAt, ended));
    const decided = endedBy(turn, ended);
    this.#queue = decided.catch(() => {}); // whatever holds a question up that has ended, the next one comes
    try {
      const allowed = await decided;
      if (signal.aborted) throw new CancelledError('The request was cancelled.');
      if (!allowed) throw this.#unanswered();
    } finally {
      clearTimeout(timer);
      this.#count(-1);
    }
  }

  /** How many questions are open. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Kinds that are always allowed in this workspace. */
  get always(): readonly ApprovalKind[] {
    return this.#options.store.get();
  }

  /** Takes back what is always allowed in this workspace. */
  async forget(kind: ApprovalKind): Promise<void> {
    await this.#options.store.set(this.always.filter((other) => other !== kind));
    this.#changed();
  }

  /** Calls the listener when the number of open questions, or what is always allowed, has changed. */
  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  get #time(): number {
    return this.#options.time ?? APPROVAL_TIME;
  }

  /** True where it is allowed already. @throws UserError where the person has switched the kind off */
  #isSettled({ kind }: ApprovalRequest, { granted }: Grantee): boolean {
    const setting = this.#options.setting(kind);
    if (setting === 'deny') {
      throw new UserError(
        `The person has switched "${kind}" off for agents (setting workspaceMcp.approvals).`,
      );
    }
    return setting === 'allow' || granted.has(kind) || this.always.includes(kind);
  }

  /** True once it is allowed: by this question, or meanwhile by one before it. */
  async #turn(
    request: ApprovalRequest,
    grantee: Grantee,
    endsAt: number,
    ended: AbortSignal,
  ): Promise<boolean> {
    // What was asked at the same time as one that has just ended would be gone before it could be read.
    const isOver = Date.now() > endsAt - this.#time / 100;
    if (ended.aborted || isOver) return false;
    if (this.#isSettled(request, grantee)) return true;
    const { ask, log } = this.#options;
    log.info(`asking the person: ${request.tool} (${request.kind}) for ${grantee.agent()}`);
    const id = ++this.#lastId;
    const question = { ...request, id, agent: grantee.agent(), endsAt, waiting: () => this.#waiting - 1 };
    const answer = await endedBy(ask(question, ended), ended);
    if (answer) await this.#take(answer, request, grantee);
    return answer !== undefined;
  }

  async #take(answer: Answer, { kind, tool }: ApprovalRequest, grantee: Grantee): Promise<void> {
    const { log, store } = this.#options;
    if ('deny' in answer) {
      log.info(`denied: ${tool}`);
      const reason = answer.deny ? ` Their reason: ${answer.deny}` : '';
      throw new UserError(`The person denied this ${kind}.${reason}`);
    }
    log.info(`allowed (${answer.allow}): ${tool}`);
    if (answer.allow === 'session') grantee.granted.add(kind);
    if (answer.allow === 'workspace' && !this.always.includes(kind)) await store.set([...this.always, kind]);
    if (answer.allow !== 'once') this.#changed();
  }

  #unanswered(): UserError {
    return new UserError(
      `Nobody answered the question in VS Code within ${this.#time / 60_000} minutes, so nothing was done. Ask the person to look at VS Code, then try again.`,
    );
  }

  #count(difference: number): void {
    this.#waiting += difference;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** What the promise gives, or undefined when the signal ends it first. */
function endedBy<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const end = () => resolve(undefined);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
