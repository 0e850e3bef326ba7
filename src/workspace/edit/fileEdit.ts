import type { Location } from '../read/location.ts';

/** The planned change of one file. */
export interface EditPlan {
  /**
   * @param text with `\n` between the lines
   * @returns the new text, with `\n` between the lines. @throws UserError if the text does not match the plan
   */
  plan(text: string): string;
  /** Version of the document that the agent has seen. */
  expectedVersion?: number | undefined;
  /** It replaces the whole text: refused if another agent has changed it since this agent got it. */
  isWhole?: boolean;
}

/** An edit of one file, alone or with others. */
export interface FileEdit extends EditPlan {
  location: Location;
}

/** A text before and after an edit, both with `\n` between the lines. */
export interface TextChange {
  before: string;
  after: string;
}

/** The result for one file. */
export interface Edited {
  location: Location;
  /** Version of the document in the editor. */
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
