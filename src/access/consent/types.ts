/** What is asked of the person, and what they may answer. */
import type * as vscode from 'vscode';
import type { Log } from '../../util/log.ts';
import type { ApprovalKind } from '../operation.ts';
import type { Guard } from '../refusals.ts';
import type { FileChange } from './changes.ts';

/** How one file would change; both texts have `\n` between the lines. */
export interface FileDiff {
  uri: vscode.Uri;
  /** As results name it, and what that leads to, if it is a link. */
  path: string;
  target?: string;
  /** Why to ask each time for this file. */
  guard?: Guard;
  /** Not all of its lines end alike: saving makes them. */
  isMixed?: boolean;
  before: string;
  after: string;
}

/** What a call is about to do: everything the user needs to decide. */
export interface PlannedAction {
  kind: ApprovalKind;
  /** What it is about, as results name it: for an edit the file, or the first of several. */
  subject: string;
  /** The files that would change. */
  diffs?: readonly FileDiff[];
  /** The command line that would run. */
  commandLine?: string;
  /** The arguments of what would run. */
  arguments?: Record<string, unknown>;
  /** To be asked each time, whatever else is allowed: it may change what agents, or the editor, are allowed to do. */
  everyTime?: boolean;
  /** The user has approved this before, but it has become another change since. */
  again?: boolean;
}

/** The same with the name of the tool. */
export interface ApprovalRequest extends PlannedAction {
  tool: string;
}

/** Asks for approval on behalf of one call. */
export interface Approver {
  /** Resolves when the action may go on. @throws UserError if it is denied, CancelledError */
  approve(action: PlannedAction): Promise<Consent>;
  /** Whether it is approved without a question. @throws UserError if the user has switched it off */
  isApproved(action: PlannedAction): boolean;
}

/** Who asks. */
export interface Asker {
  /** As it calls itself. */
  agent: string;
  /** Tells it from other agents of that name, if there are any. */
  number?: number;
  /** In which its process runs. */
  directory?: string;
}

/** The same, as it is put to the person. */
export interface Question extends ApprovalRequest, Asker {
  /** Its number: an answer that was meant for another question does not count. */
  id: number;
  /** What the diffs change, in the same order. */
  changes?: readonly FileChange[];
  /** How many more are waiting behind it. */
  waiting(): number;
  /** Since when the agent waits, in milliseconds since the epoch. */
  askedAt: number;
  /** When the question ends by itself, in milliseconds since the epoch. */
  endsAt: number;
}

/** A denial has a reason, or an empty one; `session` denies all of that kind until the session ends. */
export type Answer = { allow: 'once' | 'session' | 'workspace' } | { deny: string; session?: boolean };

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
  /** @throws UserError if the tool has been switched off meanwhile */
  requireOn?(): void;
  /** Told how many seconds it has waited, at once and then every ten. */
  progress(progress: number, total?: number, message?: string): void;
}

/** The approvals of one agent. */
export interface AgentApprovals {
  /** Resolves when the operation may go on. @throws UserError if it is denied, with the reason; CancelledError */
  require(request: ApprovalRequest, call: WaitingCall): Promise<Consent>;
  /** Whether it is approved without a question. @throws UserError if the user has switched the kind off, or the tool */
  isSettled(request: ApprovalRequest, call: WaitingCall): boolean;
}

/** What sessions have been allowed, by their resume keys. */
export interface SessionGrants {
  /** A connection has begun. What it gets is changed by who allows and takes back. */
  begin(resume: string): Set<ApprovalKind>;
  /** It has ended: what was allowed lapses, unless the agent comes back soon. */
  end(resume: string): void;
}

/** What a connection has been allowed, and denied, for its time. */
export interface Grantee {
  asker(): Asker;
  granted: Set<ApprovalKind>;
  denied: Set<ApprovalKind>;
}
