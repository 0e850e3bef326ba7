import type { Location } from '../read/location.ts';

/** What to change in one file. */
export interface EditPlan {
  /**
   * @param text with `\n` between the lines
   * @returns the new text, with `\n` between the lines. @throws UserError if the text is not what the plan expects
   */
  plan(text: string): string;
  /** Version of the document that the agent has seen. */
  expectedVersion?: number | undefined;
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

/** What has become of one file. */
export interface Edited {
  location: Location;
  /** Version of the document in the editor. */
  version: number;
  /** `theirs`: the user had unsaved text in it, or it has no file yet, so it is theirs to save. */
  saved: 'saved' | 'theirs' | 'still saving';
  /** VS Code has changed more on saving, as the user's settings say. */
  changedOnSave: boolean;
  /** Its line ends were mixed, and are the same now. */
  madeEndsAlike: boolean;
  /** The path no longer holds what was saved. */
  isGone: boolean;
}
