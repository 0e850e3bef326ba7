import { callLimit } from '../../core/clients.ts';
import { CancelledError } from '../../core/errors.ts';
import { commandOf, type Grant } from '../../core/grants.ts';
import { parsedJson } from '../../core/json.ts';
import { clock, every } from '../../util/clock.ts';
import type { ApprovalKind } from '../accessSettings.ts';
import { type FileChange, fileChangesOf } from './changes.ts';
import { grantablePlaces, grantsOffered } from './grants.ts';
import type { ApprovalRequest, Opened, PlannedAction, Question, WaitingCall } from './types.ts';

/** Milliseconds between two progress notifications: many clients time out a call after a minute without one. */
const WAITING_PAUSE = 10_000;

/** How long a call waits until it becomes a task, in milliseconds, if its client takes tasks. */
const BEFORE_TASK = 20_000;

/** Milliseconds for an answer to reach the agent. */
const MARGIN = 3_000;

const WAITING = 'Waiting for the user to answer in VS Code';

/** A call that waits for an answer: until its client times out, the question ends, or something else answers it. */
export class Wait<T> {
  /** Start of the wait, in milliseconds since the epoch. */
  readonly since = Date.now();
  readonly #start = clock.now();
  readonly #over = new AbortController();
  /** Aborted when nobody waits for an answer any more. */
  readonly ended: AbortSignal;
  readonly #settled = Promise.withResolvers<T>();
  readonly #call: WaitingCall;
  readonly #answerElsewhere: () => T | undefined;
  /** How long the client accepts an answer, in milliseconds; undefined if unknown. */
  readonly #limit: number | undefined;
  readonly #cancels: (() => void)[];
  #isTask = false;

  /**
   * @param agent name of the client
   * @param answerElsewhere what else answers the call, asked when settings change; may throw
   */
  constructor(agent: string, call: WaitingCall, answerElsewhere: () => T | undefined) {
    this.#call = call;
    this.#answerElsewhere = answerElsewhere;
    this.ended = AbortSignal.any([call.signal, this.#over.signal]);
    this.#settled.promise.catch(() => {}); // there may be no caller left
    const limit = call.becomeTask ? undefined : callLimit(agent, call.progress !== undefined);
    this.#limit = limit && limit - MARGIN;
    const report = () => {
      const waited = Math.round(this.waited / 1000);
      call.progress?.(waited, undefined, `${WAITING}${waited > 0 ? `, ${waited} s` : ''}`);
    };
    report();
    const becomeTask = () => {
      call.becomeTask?.(WAITING);
      this.#isTask = true;
    };
    this.#cancels = [every(WAITING_PAUSE, report), clock.after(BEFORE_TASK, becomeTask)];
    if (this.#limit !== undefined) this.#endIn(this.#limit);
  }

  /** Whether the client waits as long as the user needs: it takes a task for an answer. */
  get isLong(): boolean {
    return this.#call.becomeTask !== undefined;
  }

  /** Milliseconds. */
  get waited(): number {
    return clock.now() - this.#start;
  }

  /**
   * Call it when the question is shown.
   *
   * @param time milliseconds that it may be shown at most
   * @returns when it ends, in milliseconds since the epoch; undefined if it would end before the user can read it
   */
  begin(time: number): number | undefined {
    const left = this.#limit === undefined ? time : Math.min(time, this.#limit - this.waited);
    if (left < time / 100) return undefined;
    this.#endIn(left);
    return Date.now() + left;
  }

  /** Asks, and resolves to the answer; to undefined if there is none. @throws CancelledError, and as `answerElsewhere` does */
  async answer(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const answer = await Promise.race([this.#settled.promise, ask()]);
      if (this.#call.signal.aborted) throw new CancelledError('The request was cancelled.');
      return answer;
    } finally {
      for (const cancel of this.#cancels) cancel();
      if (this.#isTask) this.#call.becomeTask?.('At work');
    }
  }

  /** Ends if it is answered elsewhere now. */
  check(): void {
    try {
      const answer = this.#answerElsewhere();
      if (answer === undefined) return;
      this.#settled.resolve(answer);
      this.#over.abort();
    } catch (error) {
      this.refuse(error);
    }
  }

  refuse(error: unknown): void {
    this.#settled.reject(error);
    this.#over.abort();
  }

  #endIn(ms: number): void {
    this.#cancels.push(clock.after(ms, () => this.#over.abort()));
  }
}

type Near = ApprovalKind | Grant;

interface Parts {
  /** What the user has allowed already that is near to it, now and once it has changed. */
  near: readonly Near[];
  nearLater(request: ApprovalRequest): readonly Near[];
  nextId(): number;
}

/** The question of a request, and the request as the user sees it now: both follow the texts that it would change. */
export function followed(
  request: ApprovalRequest,
  opened: Opened,
  { near, nearLater, nextId }: Parts,
): { question: Question; now(): ApprovalRequest } {
  const { follow, everyTime, again, ...lasting } = request;
  let shown: Omit<ApprovalRequest, 'follow'> = {
    ...lasting,
    ...(everyTime && { everyTime }),
    ...(again && { again }),
  };
  let changes = shown.diffs && fileChangesOf(shown.diffs);
  let { id } = opened;
  const question = (allowed: readonly Near[]): Question => ({
    ...shown,
    ...opened,
    id,
    ...(changes && { changes }),
    ...changedScripts(shown, allowed),
    allowed,
    grants: grantsOffered(shown),
    places: grantablePlaces(shown),
    ...(follow && { follow: (listener: (now: Question) => void) => follow((now) => change(now, listener)) }),
  });
  /** What a later plan does not say, such as the intent or a command, stays. */
  const change = ({ follow: _, ...now }: PlannedAction, listener: (now: Question) => void) => {
    const before = ownChanges(shown, changes);
    const next = { ...lasting, ...now };
    changes = next.diffs && fileChangesOf(next.diffs);
    const isSame = before === ownChanges(next, changes);
    shown = { ...next, ...((shown.again || !isSame) && { again: true }) };
    if (!isSame) id = nextId();
    listener(question(nearLater(shown)));
  };
  return { question: question(near), now: () => shown };
}

/** The scripts of a command, if they have changed since the user allowed it. */
function changedScripts({ grant }: PlannedAction, near: readonly Near[]): Pick<Question, 'changes'> {
  const scripts = commandOf(grant)?.scripts;
  const before = near.map(commandOf).find((one) => one?.scripts !== undefined)?.scripts;
  if (scripts === undefined || before === undefined) return {};
  return { changes: fileChangesOf([{ before: pretty(before), after: pretty(scripts) }]) };
}

const pretty = (json: string): string => `${JSON.stringify(parsedJson(json), undefined, 2)}\n`;

/** What a request does, as a text: the changed lines of its files without those around them, which others may change. */
function ownChanges(
  { kind, also, everyTime, diffs = [] }: PlannedAction,
  changes: readonly FileChange[] = [],
): string {
  const files = changes.map(({ lines, isCut }, index) => {
    const { uri, operation, guard, before, after } = { ...diffs[index] };
    const own = lines.flatMap(({ kind, parts }) =>
      kind === 'removed' || kind === 'added' ? [kind, ...parts.map(({ text, mark }) => [text, mark])] : [],
    );
    return [`${uri}`, operation, guard, own, isCut && [before, after]];
  });
  return JSON.stringify([kind, also, everyTime, files]);
}
