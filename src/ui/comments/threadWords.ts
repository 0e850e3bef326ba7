import * as vscode from 'vscode';
import type { Comments } from '../../workspace/comments/comments.ts';
import {
  type Comment,
  LONGEST_COMMENT,
  MOST_COMMENTS,
  MOST_OPEN,
  type Thread,
} from '../../workspace/comments/thread.ts';
import { quoted } from '../messages.ts';

const { l10n } = vscode;

/** @throws Error that says what the user can do. @param refusal undefined if there is room */
export function throwIfFull(refusal: ReturnType<Comments['refusal']>): void {
  if (refusal === 'long')
    throw new Error(
      l10n.t('This thread has {0} comments, the most there can be. Begin another one.', MOST_COMMENTS),
    );
  if (refusal)
    throw new Error(l10n.t('{0} comments are open, the most there can be. Resolve some first.', MOST_OPEN));
}

/** @throws Error if it would be cut */
export function throwIfLong({ length }: string): void {
  if (length <= LONGEST_COMMENT) return;
  throw new Error(
    l10n.t('The comment has {0} characters, {1} at most are possible. Shorten it.', length, LONGEST_COMMENT),
  );
}

/** Who wrote it. */
export const nameOf = ({ agent }: Comment): string =>
  agent === undefined ? l10n.t('You') : quoted(agent, 40);

/** The number is what agents call it. */
export function labelOf({ id, isShown, isGone, comments: [first] }: Thread): string {
  if (isShown && first) return l10n.t('Shown by {0}', nameOf(first));
  return isGone ? l10n.t('Comment {0}: its lines are no longer in the file', id) : l10n.t('Comment {0}', id);
}
