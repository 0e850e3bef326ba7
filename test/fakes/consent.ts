import type {
  Answer,
  ApprovalOptions,
  Decision,
  Inquiry,
  Proposal,
  Question,
  Reply,
} from '../../src/access/consent/types.ts';
import type { Grant } from '../../src/core/grants.ts';
import { type GrantStore, type KeptGrant, KeptSessionGrants } from '../../src/server/sessionGrants.ts';
import { silent } from '../unit/log.ts';

/** The person who is asked: answers what a test tells them to, and otherwise lets the question stand. */
export class FakeConsent {
  /** Everything that was asked, in order. */
  readonly questions: Question[] = [];
  /** Given to the next questions, one each. */
  readonly answers: Answer[] = [];
  /** Makes the others, where it is set. */
  otherwise?: () => Answer;
  always: readonly Grant[] = [];
  /** How long a question waits, in milliseconds; set before the window opens. */
  time?: number;
  /** What sessions are allowed, over a reload; the window after it is given the same. */
  kept: GrantStore = keptInMemory();
  isTrusted = true;
  #grants: KeptSessionGrants | undefined;
  #open: { answer(answer: Answer): void; ended: boolean }[] = [];

  get grants(): KeptSessionGrants {
    const { kept: store } = this;
    const isTrusted = () => this.isTrusted;
    this.#grants ??= new KeptSessionGrants({ store, isTrusted, log: silent });
    return this.#grants;
  }

  readonly ask: ApprovalOptions['ask'] = (question, signal) => {
    this.questions.push(question);
    const next = this.answers.shift() ?? this.otherwise?.();
    if (next) return Promise.resolve(next);
    return new Promise((resolve, reject) => {
      const entry = { answer: resolve, ended: false };
      this.#open.push(entry);
      signal.addEventListener('abort', () => {
        entry.ended = true;
        reject(new Error('The question has ended.'));
      });
    });
  };

  /** Agents' own questions, and the answers to the next ones; those without an answer stay open. */
  readonly inquiries: Inquiry[] = [];
  readonly replies: Reply[] = [];

  readonly inquire: ApprovalOptions['inquire'] = (inquiry, signal) => {
    this.inquiries.push(inquiry);
    const next = this.replies.shift() ?? (this.otherwise && { dismissed: true });
    if (next) return Promise.resolve(next);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The question has ended.')));
    });
  };

  /** Proposals, and what is decided about the next ones; the others are discarded. */
  readonly proposals: Proposal[] = [];
  readonly decisions: ((proposal: Proposal) => Decision)[] = [];

  readonly propose: ApprovalOptions['propose'] = async (proposal) => {
    this.proposals.push(proposal);
    return this.decisions.shift()?.(proposal) ?? { discarded: true };
  };

  readonly store: ApprovalOptions['store'] = {
    get: () => this.always,
    set: async (kinds) => {
      this.always = kinds;
    },
  };

  /** Questions that stand. */
  get open(): number {
    return this.#open.filter(({ ended }) => !ended).length;
  }

  /** Answers the oldest question that stands. */
  answer(answer: Answer): void {
    const index = this.#open.findIndex(({ ended }) => !ended);
    const [entry] = this.#open.splice(index, 1);
    if (index < 0 || !entry) throw new Error('No question stands.');
    entry.answer(answer);
  }

  /** As a person does who was a moment too late. */
  answerAnyway(answer: Answer): void {
    for (const entry of this.#open) entry.answer(answer);
  }
}

export function keptInMemory(): GrantStore {
  let kept: readonly KeptGrant[] = [];
  return {
    get: () => kept,
    set: async (grants) => {
      kept = grants;
    },
  };
}
