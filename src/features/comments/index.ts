import type { Domain } from '../features.ts';
import { addComment } from './addComment.ts';
import { listComments, comments as ofWindow } from './listComments.ts';
import { resolveComment } from './resolveComment.ts';

/** What the user and agents say of lines. */
export const comments: Domain = {
  tools: [addComment, listComments, resolveComment],
  resources: [ofWindow],
};
