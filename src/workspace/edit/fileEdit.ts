import type { Approver } from '../../access/consent/types.ts';
import type { KeyedQueue } from '../../util/turns.ts';
import type { Location, Locator } from '../read/location.ts';
import type { Redactor } from '../read/redactor.ts';
import type { Author, Journal } from './journal.ts';

/** What one agent's edits need. */
export interface EditAccess extends Locator {
  redactor: Redactor;
  journal: Journal;
  /** Shared by all agents: an edit must not mistake another edit's unsaved text for the user's. */
  turns: KeyedQueue;
  author(): Author;
}

export interface EditingCall extends Approver {
  tool: string;
  signal: AbortSignal;
  /** Id of the edit that this one takes back. */
  undoes?: number;
  /** Judges the new texts before and after they are saved, deletions aside: if it rejects, all edits are reverted. */
  verify?(stage: 'unsaved' | 'saved'): Promise<void>;
}

export interface EditPlan {
  /**
   * @param text with `\n` between the lines
   * @returns the new text, with `\n` between the lines. @throws UserError if the text does not match the plan
   */
  plan(text: string): string | Promise<string>;
  /** Version of the document that the agent has seen. */
  expectedVersion?: number | undefined;
  /** Version of the document that a language server's edits are for. The plan adds them to what is typed later. */
  plannedOn?: number | undefined;
  /** It replaces the whole text: refused if another agent has changed it since this agent got it. */
  isWhole?: boolean;
}

export interface FileEdit extends EditPlan {
  location: Location;
  /** What changed in the text since the agent knew it; undefined if that is not known. @param text as for `plan` */
  changes?(text: string): string | undefined;
}

/** A text before and after an edit, both with `\n` between the lines. */
export interface TextChange {
  before: string;
  after: string;
}

export interface Edited {
  location: Location;
  version: number;
  /** `theirs`: it had unsaved text of the user, or has no file yet, so the user decides when to save. */
  saved: 'saved' | 'theirs' | 'still saving';
  /** VS Code made more changes on saving (user's settings, such as formatting). */
  changedOnSave: boolean;
  /** Its line ends were mixed; saving made them all the same. */
  madeEndsAlike: boolean;
  /** The path no longer has the saved text. */
  isGone: boolean;
}
