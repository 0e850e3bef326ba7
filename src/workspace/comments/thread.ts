import type * as vscode from 'vscode';

/** What the user or an agent said of some lines. */
export interface Comment {
  /** The agent, as the user sees it; undefined for the user. */
  readonly agent: string | undefined;
  /** Plain text, with `\n` between the lines: an agent's markup is text, too. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A conversation on some lines of a file. */
export interface Thread {
  /** Counts the threads of the workspace, from 1. */
  readonly id: number;
  readonly uri: vscode.Uri;
  /** 1-based, both included. Where they last were, if they are gone. */
  readonly lines: readonly [first: number, last: number];
  /** The lines are no longer in the file. */
  readonly isGone: boolean;
  readonly isResolved: boolean;
  /** When it was last resolved, in milliseconds since the epoch. */
  readonly resolvedAt?: number;
  /** Set if an agent only shows the lines: it needs no answer, and is not stored. */
  readonly isShown?: true;
  /** Oldest first; at least one. */
  readonly comments: readonly Comment[];
}

/** What a thread begins with. */
export type NewThread = Pick<Thread, 'uri' | 'lines' | 'isShown'> & Omit<Comment, 'at'>;

/** Most threads that are open at once, and with how many of them agents begin none: the user has room then. */
export const MOST_OPEN = 200;
export const MOST_FOR_AGENTS = 150;
/** Most resolved threads that are kept: of those with words of the user, and of others. The one that was resolved first goes. */
export const MOST_RESOLVED = 200;
/** Longest text of a comment, in UTF-16 units, and most comments of a thread. */
export const LONGEST_COMMENT = 2_000;
export const MOST_COMMENTS = 50;

export const hasWordsOfUser = ({ comments }: Thread): boolean =>
  comments.some(({ agent }) => agent === undefined);

/** Where the user looks for an answer: a thread of theirs, or one that an agent began and that asks for one. */
export const isOpen = ({ isResolved, isShown }: Thread): boolean => !isResolved && !isShown;

/** The lines of a selection: 1-based, both included. One of whole lines ends at the start of the next one. */
export function linesOf({ start, end }: vscode.Range): Thread['lines'] {
  const [first, last] = [start.line + 1, end.line + 1];
  return [first, end.character === 0 && last > first ? last - 1 : last];
}
