/** What is asked of the person, and what they may answer. */
import type * as vscode from 'vscode';
import type { Log } from '../../util/log.ts';
import type { ApprovalKind } from '../operation.ts';

/** One thing that an agent wants to do. */
export interface ApprovalRequest {
  kind: ApprovalKind;
  /** Name of the tool. */
  tool: string;
  /** What it is about, as results name it: a file for an edit. */
  subject: string;
  /** Where that is a link: what it leads to. */
  target?: string;
  /** It is asked for each time, whatever else is allowed: it may change what agents, or the editor, are allowed to do. */
  everyTime?: boolean;
  /** The person has agreed to this before, and by then it was another change. */
  again?: boolean;
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

export interface ApprovalOptions {
  /** The person's default for a kind. */
  setting(kind: ApprovalKind): 'allow' | 'ask' | 'deny';
  /** Kinds that are always allowed in this workspace. */
  store: { get(): readonly ApprovalKind[]; set(kinds: readonly ApprovalKind[]): PromiseLike<void> };
  /** Puts a question to the person; it is taken away when the signal is aborted, and the next one may come in that moment. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  log: Log;
  /** Milliseconds, of a question and between two signs of life; tests have less patience. */
  time?: number;
  pause?: number;
}

/**
 * What an operation goes on with: the person has seen and agreed to this very request, or something else allows it, whatever
 * it may have become meanwhile.
 */
export type Consent = 'shown' | 'allowed';

/** The call that waits for the answer. */
export interface WaitingCall {
  signal: AbortSignal;
  /** Throws where the tool has been switched off meanwhile. */
  requireOn?(): void;
  /** Told how many seconds it has waited, of how many at most, at once and then every ten. */
  progress(progress: number, total?: number, message?: string): void;
}

/** What sessions have been allowed, by their resume keys. */
export interface SessionGrants {
  /** A connection has begun. What it gets is changed by who allows and takes back. */
  begin(resume: string): Set<ApprovalKind>;
  /** It has ended: what was allowed lapses, unless the agent comes back soon. */
  end(resume: string): void;
}

/** What a connection has been allowed for its time. */
export interface Grantee {
  agent(): string;
  granted: Set<ApprovalKind>;
}
