/**
 * An edit, in the order in which it comes to be:
 *
 * - `Request`: what an agent wants, of texts (`TextRequest`) and of files as wholes (`Operation`).
 * - `Plan`: what that changes in the texts and files of one moment. The user is asked about a plan.
 * - `Applied`: a text that VS Code has changed, until it is saved, or rolled back because the edit fails.
 * - `Saved`: what became of a text on the disk.
 * - `Entry`: what the journal remembers of it all (`journal.ts`).
 *
 * The way: `makeEdits` → `AgentEdits.make` → `FilesEdit.make`, which plans → `Edit.askThenMake` → `FilesEdit.attempt` →
 * `AppliedEdit`, which applies, saves and updates the journal. An undo is a request made of an entry (`OwnEdits.requestToUndo`)
 * that goes the same way; at its end the entry goes.
 */
import type { Approver, PlannedAction } from '../../access/consent/types.ts';
import type { MakeRoom } from '../read/diskFile.ts';
import type { Location, Locator } from '../read/location.ts';
import type { Redactor } from '../read/redactor.ts';
import type { Author, Deed, Journal } from './journal.ts';
import type { Operation } from './operations/operation.ts';

/** What an agent's edits of the past need. */
export interface JournalAccess extends Locator {
  redactor: Redactor;
  journal: Journal;
  author(): Author;
}

/** The call that edits. */
export interface EditCall extends Approver {
  tool: string;
  signal: AbortSignal;
  makeRoom?: MakeRoom;
}

export interface Request {
  /** Each of a different file, which no operation touches but a move. */
  edits: readonly TextRequest[];
  /** Done after the edits, deletions last. */
  operations?: readonly Operation[];
  /** Id of the edit that this one takes back, and what of it stays. */
  undoes?: number;
  left?: readonly Deed[];
  /** What the question has to say beside the changes. */
  asks?: Pick<PlannedAction, 'intent' | 'also' | 'commandLine' | 'arguments' | 'recheck'>;
}

/** A change of one text. */
export interface TextRequest {
  location: Location;
  /**
   * @param text redacted, as the agent sees it, with `\n` between the lines
   * @returns the new text, with `\n` between the lines. @throws UserError if the text does not match
   */
  plan(text: string): string | Promise<string>;
  /** What the last plan does, for the agent, such as "3 replacements". */
  did(): string;
  /** Version of the document that the agent has seen. */
  expectedVersion?: number | undefined;
  /** Version of the document that a language server's edits are for. The plan adds them to what is typed later. */
  plannedOn?: number | undefined;
  /** It replaces the whole text: refused if another agent has changed it since this agent got it. */
  isWhole?: boolean;
}

/** A text before and after an edit, both with `\n` between the lines. */
export interface TextChange {
  before: string;
  after: string;
}

/** When the new texts of an edit are judged: before and after they are saved, deletions aside. */
export type Stage = 'unsaved' | 'saved';

/** Who looks at an edit on its way. */
export interface EditWatcher {
  /** The user is asked about a plan; the first time, nothing is changed yet. Waited for before anything is. */
  asked(action: PlannedAction): Promise<unknown>;
  /** Texts and files change after this. */
  begins?(): void;
  /** @throws RolledBackError if the edit must not stay, or another error if that is not known: then all is rolled back */
  judge?(stage: Stage): Promise<void>;
}

export interface Saved {
  location: Location;
  version: number;
  /** `theirs`: it had unsaved text of the user, or has no file yet, so the user decides when to save. */
  saved: 'saved' | 'theirs' | 'still saving';
  /** As its request says. */
  did: string;
  /** What saving changed (user's settings, such as formatting), in words for the agent. */
  changedOnSave?: string | undefined;
  /** Its line ends were mixed; saving made them all the same. */
  madeEndsAlike: boolean;
  /** The path no longer has the saved text. */
  isGone: boolean;
}
