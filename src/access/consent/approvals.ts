import { CancelledError, UserError } from '../../core/errors.ts';
import { unlessAborted } from '../../util/deadline.ts';
import { Emitter } from '../../util/emitter.ts';
import type { ApprovalKind } from '../operation.ts';
import { changesOf } from './changes.ts';
import { Patience } from './patience.ts';
import type {
  AgentApprovals,
  Answer,
  ApprovalOptions,
  ApprovalRequest,
  Consent,
  Grantee,
  WaitingCall,
} from './types.ts';

/** How long a question that is shown waits for an answer, in milliseconds: some clients give a call up after 300 s. */
const APPROVAL_TIME = 280_000;

/** Milliseconds between two signs of life: many clients give a call up after a minute without one. */
const WAITING_PAUSE = 10_000;

/**
 * Consent to what agents do, from the person at the editor. Nothing that an agent sends answers a question. Questions wait
 * in a queue, so that the person has one in front of them at a time.
 */
export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #changes = new Emitter();
  readonly #rechecks = new Set<ReturnType<typeof settledBy>>();
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #lastId = 0;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** As one agent uses them. */
  of(grantee: Grantee): AgentApprovals {
    return {
      require: (request, call) => this.require(request, grantee, call),
      isSettled: (request, call) => this.isSettled(request, grantee, call),
    };
  }

  /** Resolves when the operation may go on. @throws UserError if it is denied, with the reason; CancelledError */
  async require(request: ApprovalRequest, grantee: Grantee, call: WaitingCall): Promise<Consent> {
    const isSettled = () => this.isSettled(request, grantee, call);
    if (isSettled()) return 'allowed';
    const { signal } = call;
    const patience = new Patience(grantee.asker().agent);
    const settled = settledBy(isSettled);
    this.#rechecks.add(settled);
    const toldThatItWaits = this.#tellThatItWaits(call);
    const ended = AbortSignal.any([signal, patience.over, settled.signal]);
    this.#count(1);
    const before = this.#queue;
    const turn = before.then(() => this.#turn(request, grantee, { patience, ended, isSettled }));
    const asked = unlessAborted(turn, ended);
    // Whatever holds a question up that has ended, the next one comes; but not while one before it still stands.
    this.#queue = Promise.allSettled([before, asked]);
    try {
      const consent = await Promise.race([settled.promise, asked]);
      if (signal.aborted) throw new CancelledError('The request was cancelled.');
      if (!consent) throw unanswered(patience.waited);
      return consent;
    } finally {
      patience.dispose();
      clearInterval(toldThatItWaits);
      this.#rechecks.delete(settled);
      this.#count(-1);
    }
  }

  /** The settings have changed: questions that they answer now are taken away. */
  readonly settingsChanged = (): void => {
    for (const { check } of this.#rechecks) check();
  };

  /** The window closes: tells each agent that waits that nothing was done. */
  close(): void {
    const closing = new UserError(
      'The VS Code window or its server was closed or restarted before the user answered, so nothing was done. Try again once it is back.',
    );
    for (const { refuse } of this.#rechecks) refuse(closing);
  }

  /** How many questions are open. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Kinds that are always allowed in this workspace. */
  get #always(): readonly ApprovalKind[] {
    return this.#options.store.get();
  }

  /** Calls the listener when the number of open questions, or what is always allowed, has changed. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  #tellThatItWaits(call: WaitingCall): NodeJS.Timeout {
    const started = Date.now();
    const tell = () => {
      const waited = Math.round((Date.now() - started) / 1000);
      call.progress(waited, undefined, 'Waiting for the answer of the user in VS Code');
    };
    tell();
    return setInterval(tell, this.#options.pause ?? WAITING_PAUSE);
  }

  /** True where it is allowed already. @throws UserError where the person has switched the kind off, or the tool */
  isSettled({ kind, everyTime }: ApprovalRequest, { granted, denied }: Grantee, call: WaitingCall): boolean {
    call.requireOn?.();
    const setting = this.#options.setting(kind);
    if (setting === 'deny') {
      throw new UserError(
        `The person has switched "${kind}" off for agents (setting workspaceMcp.approvals).`,
      );
    }
    if (denied.has(kind))
      throw new UserError(`The user denied every ${kind} of this session. Do not try again; ask them first.`);
    if (everyTime) return false;
    return setting === 'allow' || granted.has(kind) || this.#always.includes(kind);
  }

  /** Undefined where it has ended without an answer. */
  async #turn(
    request: ApprovalRequest,
    grantee: Grantee,
    { patience, ended, isSettled }: { patience: Patience; ended: AbortSignal; isSettled(): boolean },
  ): Promise<Consent | undefined> {
    if (ended.aborted) return undefined;
    if (isSettled()) return 'allowed'; // by a question before it
    const { ask, log, time = APPROVAL_TIME } = this.#options;
    const endsAt = patience.begin(time);
    if (endsAt === undefined) return undefined;
    const asker = grantee.asker();
    log.info(`asking the person: ${request.tool} (${request.kind}) for ${asker.agent}`);
    const id = ++this.#lastId;
    const { since: askedAt } = patience;
    const about = { ...asker, ...(request.diffs && { changes: changesOf(request.diffs) }) };
    const question = { ...request, ...about, id, askedAt, endsAt, waiting: () => this.#waiting - 1 };
    const answer = await unlessAborted(ask(question, ended), ended);
    return answer && this.#take(answer, request, grantee);
  }

  async #take(
    answer: Answer,
    { kind, tool, everyTime }: ApprovalRequest,
    grantee: Grantee,
  ): Promise<Consent> {
    const { log, store } = this.#options;
    if ('deny' in answer) {
      log.info(`denied: ${tool}`);
      if (answer.session) grantee.denied.add(kind);
      const reason = answer.deny ? ` Their reason: ${answer.deny}` : '';
      throw new UserError(`The person denied this ${kind}.${reason}`, { lines: true });
    }
    log.info(`allowed (${answer.allow}): ${tool}`);
    if (answer.allow === 'once' || everyTime) return 'shown';
    if (answer.allow === 'session') grantee.granted.add(kind);
    if (answer.allow === 'workspace' && !this.#always.includes(kind))
      await store.set([...this.#always, kind]);
    this.#changes.fire();
    return 'allowed';
  }

  #count(difference: number): void {
    this.#waiting += difference;
    this.#changes.fire();
  }
}

const unanswered = (waited: number): UserError =>
  new UserError(
    `Nobody answered the question in VS Code within ${Math.round(waited / 1000)} s, so nothing was done. Ask the user to look at VS Code, then try again.`,
  );

/** Settles, and aborts its signal, with the first check that knows an answer: true, or what it throws. */
function settledBy(isSettled: () => boolean) {
  const { promise, resolve, reject } = Promise.withResolvers<Consent>();
  promise.catch(() => {}); // nobody may be waiting for it any more
  const over = new AbortController();
  const refuse = (error: unknown) => {
    reject(error);
    over.abort();
  };
  const check = () => {
    try {
      if (!isSettled()) return;
      resolve('allowed');
      over.abort();
    } catch (error) {
      refuse(error);
    }
  };
  return { promise, check, refuse, signal: over.signal };
}
