import { UserError } from '../../core/errors.ts';
import { unlessAborted } from '../../util/deadline.ts';
import { Emitter } from '../../util/emitter.ts';
import { FairTurns, Turns } from '../../util/keyedQueue.ts';
import type { ApprovalKind, Grant } from '../operation.ts';
import { changesOf } from './changes.ts';
import { coveredBy, grantsOf, kindsOf } from './grants.ts';
import type { Patience } from './patience.ts';
import type {
  AgentApprovals,
  Answer,
  ApprovalOptions,
  ApprovalRequest,
  Consent,
  Decision,
  Grantee,
  InquiryRequest,
  Opened,
  ProposalRequest,
  Reply,
  WaitingCall,
} from './types.ts';
import { type Settled, settledBy, type Waited, Waits } from './waits.ts';

/** How long a shown question waits for an answer, in milliseconds: some clients time out a call after 300 s. */
const APPROVAL_TIME = 280_000;

/** The same for a proposal, which the user may edit. */
const PROPOSAL_TIME = 1_800_000;

/**
 * Asks the user to approve what agents do. No message of an agent can answer a question. The user sees one question at a
 * time, and agents take turns.
 */
export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #changes = new Emitter();
  readonly #waits = new Waits();
  readonly #turns = new FairTurns();
  #open = 0;
  #lastId = 0;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** The approvals of one agent. */
  of(grantee: Grantee): AgentApprovals {
    const proposals = new Turns();
    return {
      require: (request, call) => this.require(request, grantee, call),
      isSettled: (request, call) => this.isSettled(request, grantee, call),
      // One at a time: each opens an editor.
      propose: (request, tool, call) => proposals.take('', () => this.propose(request, tool, grantee, call)),
      inquire: (request, call) => this.inquire(request, grantee, call),
    };
  }

  /** Resolves when the operation may go on. @throws UserError if it is denied, with the reason; CancelledError */
  async require(request: ApprovalRequest, grantee: Grantee, call: WaitingCall): Promise<Consent> {
    const isSettled = () => this.isSettled(request, grantee, call);
    if (isSettled()) return 'allowed';
    const settled = settledBy<Consent>(() => (isSettled() ? 'allowed' : undefined));
    const { answer, waited } = await this.#queued(grantee, call, settled, async (patience, ended) => {
      if (isSettled()) return 'allowed'; // by the answer to an earlier question
      return this.#ask(request, grantee, patience, ended);
    });
    if (!answer) throw unanswered(waited);
    return answer;
  }

  /** Shows an agent's own question; undefined if nobody answers in time. @throws UserError if the tool is switched off; CancelledError */
  async inquire(request: InquiryRequest, grantee: Grantee, call: WaitingCall): Promise<Reply | undefined> {
    const settled = settledBy<Reply>(() => {
      call.requireOn?.();
      return undefined;
    });
    const { answer } = await this.#queued(grantee, call, settled, async (patience, ended) => {
      const opened = this.#opened(grantee, patience);
      return opened && this.#options.inquire({ ...request, ...opened }, ended);
    });
    return answer;
  }

  /** Shows a proposal, not in the queue: it has an editor of its own. Undefined if nobody decides in time. @throws as `isSettled` does */
  async propose(
    request: ProposalRequest,
    tool: string,
    grantee: Grantee,
    call: WaitingCall,
  ): Promise<Decision | undefined> {
    const { path: subject } = request;
    const requireEdits = () => void this.isSettled({ kind: 'edit', tool, subject }, grantee, call);
    requireEdits();
    const settled = settledBy<Decision>(requireEdits as () => undefined);
    const { answer } = await this.#waits.for(
      grantee.asker().agent,
      call,
      settled,
      async (patience, ended) => {
        const opened = this.#opened(grantee, patience, PROPOSAL_TIME);
        return opened && unlessAborted(this.#options.propose({ ...request, ...opened }, ended), ended);
      },
    );
    return answer;
  }

  /** Waits for its turn, and for an answer. @throws CancelledError, and as `settled` does */
  #queued<T>(
    grantee: Grantee,
    call: WaitingCall,
    settled: Settled<T>,
    ask: (patience: Patience, ended: AbortSignal) => Promise<T | undefined>,
  ): Promise<Waited<T>> {
    return this.#waits.for(grantee.asker().agent, call, settled, async (patience, ended) => {
      this.#count(1);
      return this.#turns.take(grantee, ended, () => ask(patience, ended)).finally(() => this.#count(-1));
    });
  }

  /** Call it when settings or tools change: ends the questions that are settled now. */
  readonly settingsChanged = (): void => this.#waits.recheck();

  /** Call it when the window closes: tells each waiting agent that nothing was done. */
  close(): void {
    this.#waits.refuse(
      'The VS Code window or its server was closed or restarted before the user answered, so nothing was done. Try again when it is back.',
    );
  }

  /** How many questions are open. */
  get waiting(): number {
    return this.#open;
  }

  /** What is always allowed in this workspace. */
  get #always(): readonly Grant[] {
    return this.#options.store.get();
  }

  /** Calls the listener when the number of open questions or the allowed kinds have changed. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  /** True if it is already allowed. @throws UserError if the user has switched off the kind or the tool */
  isSettled(request: ApprovalRequest, { granted, denied }: Grantee, call: WaitingCall): boolean {
    call.requireOn?.();
    const isAllowed = kindsOf(request).map((kind) => {
      const setting = this.#options.setting(kind);
      if (setting === 'deny')
        throw new UserError(
          `The user has switched "${kind}" off for agents (setting workspaceMcp.approvals).`,
        );
      const covering = coveredBy(kind, request);
      if (covering.some((grant) => denied.has(grant)))
        throw new UserError(
          `The user denied every ${nameOf(kind, request)} in this session. Do not try again; ask the user first.`,
        );
      const isGranted = (grant: Grant) => granted.has(grant) || this.#always.includes(grant);
      return setting === 'allow' || covering.some(isGranted);
    });
    return !request.everyTime && isAllowed.every(Boolean);
  }

  /** Undefined if the question ended without an answer. */
  async #ask(
    request: ApprovalRequest,
    grantee: Grantee,
    patience: Patience,
    ended: AbortSignal,
  ): Promise<Consent | undefined> {
    const opened = this.#opened(grantee, patience);
    if (!opened) return undefined;
    this.#options.log.info(`asking the user: ${request.tool} (${request.kind}) for ${opened.agent}`);
    const question = { ...request, ...opened, ...(request.diffs && { changes: changesOf(request.diffs) }) };
    const answer = await unlessAborted(this.#options.ask(question, ended), ended);
    return answer && this.#take(answer, request, grantee);
  }

  /** Undefined if there is no time left to read it. */
  #opened(grantee: Grantee, patience: Patience, time = APPROVAL_TIME): Opened | undefined {
    const endsAt = patience.begin(this.#options.time ?? time);
    if (endsAt === undefined) return undefined;
    const { since: askedAt } = patience;
    return { ...grantee.asker(), id: ++this.#lastId, askedAt, endsAt, waiting: () => this.waiting - 1 };
  }

  async #take(answer: Answer, request: ApprovalRequest, grantee: Grantee): Promise<Consent> {
    const { kind, tool, everyTime } = request;
    const { log, store } = this.#options;
    if ('deny' in answer) {
      log.info(`denied: ${tool}`);
      if (answer.session) grantee.denied.add(coveredBy(kind, request)[0] ?? kind);
      const reason = answer.deny ? ` Their reason: ${answer.deny}` : '';
      throw new UserError(`The user denied this ${nameOf(kind, request)}.${reason}`, { lines: true });
    }
    log.info(`allowed (${answer.allow}): ${tool}`);
    if (answer.allow === 'once' || everyTime) return 'shown';
    const grants = grantsOf(request, answer.whole);
    if (answer.allow === 'session') for (const one of grants) grantee.granted.add(one);
    if (answer.allow === 'workspace') await store.set([...new Set([...this.#always, ...grants])]);
    this.#changes.fire();
    return 'allowed';
  }

  #count(difference: number): void {
    this.#open += difference;
    this.#changes.fire();
  }
}

const nameOf = (kind: ApprovalKind, { server }: ApprovalRequest): string =>
  kind === 'server' && server ? `call of the server ${server.name}` : kind;

const unanswered = (waited: number): UserError =>
  new UserError(
    `Nobody answered the question in VS Code within ${Math.round(waited / 1000)} s, so nothing was done. Ask the user to look at VS Code, then try again.`,
  );
