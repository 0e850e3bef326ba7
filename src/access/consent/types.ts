/** Questions to the user, and their answers. */
import type * as vscode from 'vscode';
import type { NamedAgent } from '../../core/connectedAgent.ts';
import type { AllowedOfServer, Grant } from '../../core/grants.ts';
import type { Log } from '../../util/log.ts';
import type { Guard } from '../accessRules.ts';
import type { ApprovalKind, Denial } from '../accessSettings.ts';
import type { FileChange } from './changes.ts';

/** How one file would change; both texts have `\n` line ends. */
export interface FileDiff {
  uri: vscode.Uri;
  /** As results name it, and what that leads to, if it is a link. */
  path: string;
  target?: string;
  /** Why to ask each time for this file. */
  guard?: Guard;
  /** Not all of its lines end alike: saving makes them. */
  isMixed?: boolean;
  /** The proposal does not fit the file: both texts are only the proposal's own. */
  isUnfit?: boolean;
  before: string;
  after: string;
  /** What happens to the file or folder as a whole; left out if only its text changes. */
  operation?: FileOperation;
}

export interface FileOperation {
  type: 'create' | 'create_folder' | 'move' | 'copy' | 'delete';
  /** The new path of what is moved or copied. */
  to?: string;
  /** How many files are in the folder. */
  files?: number;
  /** There is no trash. */
  forGood?: boolean;
  /** It is too large to keep, or has links: agents cannot take it back. */
  unkept?: boolean;
}

/** What a call is for, where its files alone do not say it. */
export type Intent =
  | { type: 'rename'; from: string; to: string }
  /** A quick fix, refactoring or source action, by the kind and the title that its extension gives it. */
  | { type: 'action'; kind: string; title: string }
  | { type: 'replace'; query: string }
  /** Text and a key that a running program gets. */
  | { type: 'type'; typed: string; key: string }
  | { type: 'patch' | 'format' | 'save' }
  | { type: 'task' | 'tests' | 'cells' }
  | { type: 'evaluate' | 'breakpoint' | 'exceptions' | 'restart' | 'control' }
  /** Takes back an edit of that tool. `left`: what of it stays, and why, in words for the agent. */
  | { type: 'undo'; id: number; tool: string; left?: readonly string[] };

/** What a call will do: everything the user needs to decide. */
export interface PlannedAction {
  kind: ApprovalKind;
  intent?: Intent;
  /** It needs these as well. */
  also?: ApprovalKind | readonly ApprovalKind[];
  /** Its target as results name it: for an edit the file, or the first of several. */
  subject: string;
  /** The files that would change. */
  diffs?: readonly FileDiff[];
  /** The tool of a hosted server that would be called. */
  server?: HostedCall;
  /** The id of the VS Code command that an agent has named: a denial is of all its calls. */
  editorCommand?: string;
  /** The command line that would run. */
  commandLine?: string;
  /** The arguments of the command or task that would run. */
  arguments?: Record<string, unknown>;
  /** What the user can allow for longer than once, of kinds that cannot be allowed as a whole: all of it is shown. */
  grant?: Grant;
  /** Whether no earlier answer covers it, only the user's settings: it saves unsaved text. */
  everyTime?: boolean;
  /** The user approved or saw this before, but the change is a different one now. */
  again?: boolean;
  /** Called once the user has allowed it, before that is kept. @throws UserError if it is not what the question showed any more */
  recheck?(): Promise<void>;
  /** Calls the listener with what would be done now, each time that text changes under the question. */
  follow?(listener: (now: PlannedAction) => void): { dispose(): void };
}

/** A tool of a hosted server. */
export interface HostedCall extends Required<AllowedOfServer> {
  /** In the server's words. */
  description?: string;
}

/** A planned action with the name of the tool. */
export interface ApprovalRequest extends PlannedAction {
  tool: string;
}

/** Asks for approval on behalf of one call: `approvalOf` in `protocol/tools.ts` makes it. */
export interface Approver {
  /** Resolves when the action may go on. @throws UserError if it is denied, CancelledError */
  approve(action: PlannedAction): Promise<Consent>;
  /** Whether it is approved without a question. @throws UserError if the user has switched it off */
  isAllowed(action: PlannedAction): boolean;
  /**
   * The call needs no question: it goes on with what the user has approved, or ends it.
   *
   * @param action what it goes on with. @throws UserError if the user has denied its kind since
   */
  skipQuestion(action?: PlannedAction): void;
}

/** Part of every question: who asks, and how long. */
export interface Opened extends NamedAgent {
  /** Unique, so that an answer to another question does not count. */
  id: number;
  /** Who asks the open questions, one for each: this one, and those that wait for their turn. */
  askers(): readonly NamedAgent[];
  /** When the agent started to wait, in milliseconds since the epoch. */
  askedAt: number;
  /** When the question ends automatically, in milliseconds since the epoch. */
  endsAt: number;
}

/** A request as the user sees it. */
export interface Question extends Omit<ApprovalRequest, 'follow'>, Opened {
  /** The changes of the diffs, in the same order. */
  changes?: readonly FileChange[];
  /** What the user has allowed already that is near to it. */
  allowed?: readonly (ApprovalKind | Grant)[];
  /** What "Allow for Session" and "Always Allow" allow. Empty if they are not offered. */
  grants: readonly Grant[];
  /** The agent does it with a tool of its own, and asks in its terminal too: the answer is about this alone, and the user may dismiss it. */
  isOwn?: boolean;
  /** The file, and the folder of all files, whose changes can be allowed from now on, as results name them. */
  places?: { file?: string; folder?: string };
  /** Calls the listener with the question as it is now: another id if it asks for another change. */
  follow?(listener: (now: Question) => void): { dispose(): void };
}

/**
 * `deny` is the reason, possibly empty; `session` denies everything of that kind, or of that hosted server, until the session ends.
 * `file` and `folder` allow changes of the text in there until it ends. `whole`: all tools of the hosted server.
 */
export type Answer =
  | { allow: 'once' | 'session' | 'workspace' | 'file' | 'folder'; whole?: boolean }
  | { deny: string; session?: boolean }
  /** Only of a question that `isOwn`. */
  | { dismissed: true };

/** An agent's own question. The answer gives no permission. */
export interface InquiryRequest {
  message: string;
  choices: readonly string[];
  /** Whether the user may answer in their own words. */
  freeText: boolean;
}

/** A change that the user may edit before they accept it. Both texts have `\n` between the lines. */
export interface ProposalRequest extends Pick<FileDiff, 'uri' | 'path' | 'before' | 'after'> {
  message?: string | undefined;
}

export interface Proposal extends ProposalRequest, Opened {}

/** The text that the user accepted, perhaps edited; `closed` if they closed it without a decision. */
export type Decision = { accepted: string } | { discarded: true } | { closed: true };

/** Asks the user on behalf of one call. */
export interface Inquirer {
  /**
   * Shows a proposal; undefined if nobody decides in time. If it is accepted, `approve` allows an edit of that file without a
   * question, unless a diff editor may hide a part of it.
   *
   * @throws UserError if the user has switched off edits, CancelledError
   */
  propose(request: ProposalRequest): Promise<Decision | undefined>;
  /** Undefined if nobody answers in time. @throws CancelledError */
  inquire(request: InquiryRequest): Promise<Reply | undefined>;
}

/** A question whose answer gives no permission. */
export interface Asked extends Opened {
  message: string;
}

export interface Inquiry extends InquiryRequest, Asked {}

/** Who asks such a question. */
export interface Asking {
  /** Askers with the same value share their turns in the queue. */
  turn: unknown;
  /** Name of the client whose call waits: it may end before the question does. Empty if unknown. */
  agent: string;
  /** As the user sees it. */
  asker(): NamedAgent;
  /** It waits as long as a proposal: the user needs time to fill it in. */
  isForm?: boolean;
  /** How long it waits at most, in milliseconds, if that is another time than usual. */
  time?: number | undefined;
}

/** One of the choices or the user's own words; nothing if they dismissed the question. */
export type Reply = { choice: string } | { words: string } | { dismissed: true };

export interface ApprovalOptions {
  /** The user's default for a kind. */
  setting(kind: ApprovalKind): 'allow' | 'ask' | 'deny';
  /** What is always allowed in this workspace. */
  store: { get(): readonly Grant[]; set(grants: readonly Grant[]): PromiseLike<void> };
  /** Shows a question to the user: `ApprovalPrompt.ask`. An aborted signal removes it, and the next question may come at once. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Shows an agent's own question, in the same way. */
  inquire(inquiry: Inquiry, signal: AbortSignal): Promise<Reply>;
  /** Shows a proposal until the user decides. An aborted signal removes it. */
  propose(proposal: Proposal, signal: AbortSignal): Promise<Decision>;
  /** Whether the user wants questions in the agent's terminal as well: its program could answer by itself. */
  asksInTerminal?(): boolean;
  log: Log;
  /** Milliseconds that a question is shown; tests use fewer. */
  time?: number;
}

/**
 * `shown`: the user saw and approved exactly this request. `allowed`: a setting or an earlier answer allows it, even if the text
 * has changed meanwhile.
 */
export type Consent = 'shown' | 'allowed';

/** The call that waits for the answer. */
export interface WaitingCall {
  signal: AbortSignal;
  /** @throws UserError if the tool was switched off meanwhile */
  requireOn?(): void;
  /** Called with the seconds waited, at once and then every 10 s. Left out if the client does not want to be told. */
  progress?(progress: number, total?: number, message?: string): void;
  /** Answers the client with a task, so that it waits as long as the user needs. Left out if it takes none. */
  becomeTask?(status: string): void;
  /** Once it is a task, shows a form in the client as well, while the window does not have the focus. @returns an ElicitResult, unchecked */
  form?(request: Form, ended: AbortSignal): Promise<unknown>;
}

/** A form for the user (MCP, client/elicitation): a request of the server for the client. */
export interface Form {
  method: 'elicitation/create';
  params: { mode: 'form'; message: string; requestedSchema: FormSchema };
}

// A type, not an interface, so that it fits the SDK's.
type FormSchema = {
  type: 'object';
  properties: Record<string, { type: 'string'; title: string; description?: string; enum?: string[] }>;
  required: string[];
};

/** What sessions have been allowed, by resume key. */
export interface SessionGrants {
  /** Call it when a connection starts. The caller adds to and removes from the returned set. */
  begin(resume: string): Set<Grant>;
  /** Call it when it ends: the grants expire unless the agent reconnects soon. */
  end(resume: string): void;
}

/** What a session has been allowed and denied. */
export interface Grantee {
  /** As the user sees it; replaced when agents of the same name come or go. */
  asker: NamedAgent;
  granted: Set<Grant>;
  denied: Set<Denial>;
}
