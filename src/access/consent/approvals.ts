import type { NamedAgent } from '../../core/connectedAgent.ts';
import { UserError } from '../../core/errors.ts';
import { unlessAborted } from '../../util/clock.ts';
import { Emitter } from '../../util/events.ts';
import { KeyedQueue } from '../../util/queues.ts';
import { fileChangesOf } from './changes.ts';
import { approvalAnswer, approvalForm, inquiryForm, inquiryReply, orByForm } from './form.ts';
import {
  allowedNear,
  denialFor,
  grantsOf,
  isReplaced,
  NOTHING,
  type RequestVerdict,
  verdictOn,
} from './grants.ts';
import { followed, Wait } from './question.ts';
import { QuestionTurns } from './turns.ts';
import type {
  Answer,
  ApprovalOptions,
  ApprovalRequest,
  Asking,
  Consent,
  Decision,
  Grantee,
  InquiryRequest,
  Opened,
  ProposalRequest,
  Reply,
  WaitingCall,
} from './types.ts';

/** How long a shown question waits for an answer, in milliseconds: some clients time out a call after 300 s. */
const APPROVAL_TIME = 280_000;

/** How long a shown proposal or form waits, in milliseconds: the user may edit it. A call that can be a task waits as long. */
const EDITING_TIME = 1_800_000;

/** A question that is shown now. */
interface Turn {
  wait: Pick<Wait<unknown>, 'begin' | 'since' | 'isLong'>;
  call: WaitingCall;
  /** Aborted when it has to go. */
  ended: AbortSignal;
}

/**
 * Asks the user to approve what agents do. No message of an agent can answer a question, unless the user wants it to be asked in the agent's terminal. The user sees one question at a
 * time, and agents take turns.
 */
export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #changes = new Emitter();
  readonly #waiting = new Set<Pick<Wait<unknown>, 'check' | 'refuse'>>();
  readonly #turns = new QuestionTurns(() => this.#changes.fire());
  /** One proposal of an agent at a time: each opens an editor. */
  readonly #proposals = new KeyedQueue();
  /** How many questions were answered: what an agent may do stays the same until the next answer. */
  #answers = 0;
  #lastId = 0;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** How many questions are open. */
  get waiting(): number {
    return this.#turns.count;
  }

  /** Resolves when the operation may go on. @throws UserError if it is denied, with the reason; CancelledError */
  async approve(request: ApprovalRequest, grantee: Grantee, call: WaitingCall): Promise<Consent> {
    const verdict = this.#verdict(request, grantee, call);
    if (verdict.isAllowed) return 'allowed';
    const known = this.#answers;
    const wait = new Wait<Consent>(grantee.asker.agent, call, () =>
      this.isAllowed(request, grantee, call) ? 'allowed' : undefined,
    );
    const asking = { turn: grantee, asker: () => grantee.asker };
    const answer = await this.#queued(wait, asking, async (ended) => {
      if (known === this.#answers) return this.#ask(request, grantee, verdict, { wait, call, ended });
      const later = this.#verdict(request, grantee, call); // by the answer to an earlier question
      return later.isAllowed ? 'allowed' : this.#ask(request, grantee, later, { wait, call, ended });
    });
    if (answer) return answer;
    throw new UserError(
      `Nobody answered the question in VS Code within ${Math.round(wait.waited / 1000)} s, so nothing was done. Ask the user to look at VS Code, then try again.`,
    );
  }

  /** Shows an agent's own question; undefined if nobody answers in time. @throws UserError if the tool is switched off; CancelledError */
  inquire(request: InquiryRequest, grantee: Grantee, call: WaitingCall): Promise<Reply | undefined> {
    const asking = { turn: grantee, agent: grantee.asker.agent, asker: () => grantee.asker };
    return this.pose(asking, call, (opened, ended) => {
      const form = {
        request: inquiryForm(request, true),
        read: (result: unknown) => inquiryReply(result, request.choices),
      };
      return orByForm((over) => this.#options.inquire({ ...request, ...opened }, over), form, call, ended);
    });
  }

  /** Shows a question of any kind whose answer gives agents no permission, such as one of a hosted server; undefined if nobody answers in time. */
  pose<T>(
    asking: Asking,
    call: WaitingCall,
    show: (opened: Opened, ended: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const wait = new Wait<T>(asking.agent, call, () => void call.requireOn?.());
    return this.#queued(wait, asking, async (ended) => {
      const { isForm, time = isForm ? EDITING_TIME : APPROVAL_TIME } = asking;
      const opened = this.#opened(asking.asker(), wait, time);
      return opened && show(opened, ended);
    });
  }

  /**
   * Asks about what an agent does with a tool of its own. Neither settings nor earlier answers count, and the answer counts for nothing
   * else. Undefined if nobody answers in time. @throws CancelledError
   */
  askOwn(
    request: Omit<ApprovalRequest, 'follow'>,
    asking: Asking,
    call: WaitingCall,
  ): Promise<Answer | undefined> {
    const { diffs } = request;
    this.#options.log.info(`asking the user: ${request.tool} (${request.kind}) for ${asking.agent}`);
    const shown = { ...request, ...(diffs && { changes: fileChangesOf(diffs) }), grants: [], isOwn: true };
    return this.pose(asking, call, (opened, ended) => this.#options.ask({ ...shown, ...opened }, ended));
  }

  /** Shows a proposal, not in the queue: it has an editor of its own. Undefined if nobody decides in time. @throws as `isAllowed` does */
  async propose(
    request: ProposalRequest,
    tool: string,
    grantee: Grantee,
    call: WaitingCall,
  ): Promise<Decision | undefined> {
    const edit = { kind: 'edit', tool, subject: request.path } as const;
    const requireEdits = () => void this.isAllowed(edit, grantee, call);
    requireEdits();
    const wait = new Wait<Decision>(grantee.asker.agent, call, requireEdits);
    const { ended } = wait;
    const show = async () => {
      requireEdits();
      const opened = ended.aborted ? undefined : this.#opened(grantee.asker, wait, EDITING_TIME);
      return opened && unlessAborted(this.#options.propose({ ...request, ...opened }, ended), ended);
    };
    return this.#held(wait, () => unlessAborted(this.#proposals.take(grantee, show), ended));
  }

  /** Waits for its turn, and for an answer. @throws CancelledError, and as the wait does */
  #queued<T>(
    wait: Wait<T>,
    asking: Pick<Asking, 'turn' | 'asker'>,
    ask: (ended: AbortSignal) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    return this.#held(wait, () => this.#turns.take(wait, asking, ask));
  }

  #held<T>(wait: Wait<T>, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    this.#waiting.add(wait);
    return wait.answer(ask).finally(() => this.#waiting.delete(wait));
  }

  /** Call it when settings or tools change: ends the questions that are settled now. */
  readonly settingsChanged = (): void => {
    for (const wait of this.#waiting) wait.check();
  };

  /** Call it when the window closes: tells each waiting agent that nothing was done. */
  close(): void {
    const error = new UserError(
      'The VS Code window or its server was closed or restarted before the user answered, so nothing was done. Try again when it is back.',
    );
    for (const wait of this.#waiting) wait.refuse(error);
  }

  /** Calls the listener when the number of open questions or the allowed kinds have changed. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  /** True if it is already allowed. @throws UserError if the user has switched off the kind or the tool */
  isAllowed(request: ApprovalRequest, grantee: Grantee, call: WaitingCall): boolean {
    return this.#verdict(request, grantee, call).isAllowed;
  }

  /** @throws UserError if the user has switched off the kind or the tool */
  #verdict(request: ApprovalRequest, grantee: Grantee, call: WaitingCall): RequestVerdict {
    call.requireOn?.();
    const verdict = verdictOn(request, grantee, this.#options);
    if (verdict.denial) throw new UserError(verdict.denial);
    return verdict;
  }

  /** Undefined if the question ended without an answer. */
  async #ask(
    request: ApprovalRequest,
    grantee: Grantee,
    { allowed }: RequestVerdict,
    { wait, call, ended }: Turn,
  ): Promise<Consent | undefined> {
    const opened = this.#opened(grantee.asker, wait);
    if (!opened) return undefined;
    this.#options.log.info(`asking the user: ${request.tool} (${request.kind}) for ${opened.agent}`);
    const { store } = this.#options;
    const { question, now } = followed(request, opened, {
      near: allowedNear(request, grantee, allowed, store.get()),
      nearLater: (shown) =>
        allowedNear(shown, grantee, verdictOn(shown, grantee, this.#options).allowed, store.get()),
      nextId: () => ++this.#lastId,
    });
    const { asksInTerminal } = this.#options;
    const form = {
      request: asksInTerminal?.() ? approvalForm(request) : undefined,
      read: (result: unknown) => {
        this.#options.log.info(`answered in the terminal of ${opened.agent}: ${request.tool}`);
        return approvalAnswer(result);
      },
    };
    const ask = (over: AbortSignal) => this.#options.ask(question, over);
    const answer = await orByForm(ask, form, call, ended);
    return ended.aborted || 'dismissed' in answer ? undefined : this.#take(answer, now(), grantee);
  }

  /** Undefined if there is no time left to read it. */
  #opened(
    asker: NamedAgent,
    wait: Pick<Wait<unknown>, 'begin' | 'since' | 'isLong'>,
    time = APPROVAL_TIME,
  ): Opened | undefined {
    const endsAt = wait.begin(this.#options.time ?? (wait.isLong ? Math.max(time, EDITING_TIME) : time));
    if (endsAt === undefined) return undefined;
    const askers = () => this.#turns.askers();
    return { ...asker, id: ++this.#lastId, askedAt: wait.since, endsAt, askers };
  }

  async #take(
    answer: Exclude<Answer, { dismissed: true }>,
    request: ApprovalRequest,
    grantee: Grantee,
  ): Promise<Consent> {
    const { kind, tool } = request;
    const { log, store } = this.#options;
    this.#answers++;
    if ('deny' in answer) {
      log.info(`denied: ${tool}`);
      if (answer.session) grantee.denied.add(denialFor(kind, request));
      const reason = answer.deny ? ` Their reason: ${answer.deny}` : '';
      throw new UserError(`The user denied this call. ${NOTHING}${reason}`, { lines: true });
    }
    await request.recheck?.();
    log.info(`allowed (${answer.allow}): ${tool}`);
    const grants = answer.allow === 'once' ? [] : grantsOf(request, answer);
    if (grants.length === 0) return 'shown';
    const { granted } = grantee;
    for (const one of granted) if (isReplaced(one, grants)) granted.delete(one);
    const always = store.get().filter((one) => !isReplaced(one, grants));
    if (answer.allow === 'workspace') await store.set([...new Set([...always, ...grants])]);
    else for (const one of grants) granted.add(one);
    this.#changes.fire();
    return 'allowed';
  }
}
