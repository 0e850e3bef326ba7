import * as z from 'zod';
import { agentName } from '../../core/connectedAgent.ts';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import type { Comments } from '../../workspace/comments/comments.ts';
import {
  LONGEST_COMMENT,
  MOST_COMMENTS,
  MOST_FOR_AGENTS,
  type Thread,
} from '../../workspace/comments/thread.ts';
import type { Location } from '../../workspace/read/location.ts';
import { isNotebookPath } from '../../workspace/read/notebooks.ts';
import type { Context } from '../context.ts';

/** A thread in a file that an agent may know. */
export interface KnownThread {
  thread: Thread;
  path: string;
  /** Undefined if the file is gone. */
  location: Location | undefined;
}

/** The threads that this agent may know, in the order in which they were begun. Loads nothing if there are none. */
export async function knownThreads(
  ctx: Context,
  counts: (thread: Thread) => boolean,
): Promise<KnownThread[]> {
  if (ctx.comments.isNone) return [];
  const { threads } = await ctx.comments.load();
  const known = await Promise.all(threads.filter(counts).map((thread) => knownIn(thread, ctx)));
  return known.filter((one) => one !== undefined);
}

async function knownIn(thread: Thread, { files }: Context): Promise<KnownThread | undefined> {
  const { uri } = thread;
  try {
    const location = await files.locateUri(`${uri}`);
    return { thread, path: location.path, location };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const isGone = error instanceof NotFoundError && files.mayKnow(uri);
    return isGone ? { thread, path: files.displayPath(uri), location: undefined } : undefined;
  }
}

/** The document of a file and its lines, which are the last ones there if it ends before `endLine`. @throws UserError if it has no such lines; NotFoundError */
export async function linesIn(
  location: Location,
  line: number,
  endLine = line,
  { files }: Pick<Context, 'files'>,
) {
  if (endLine < line) throw new UserError(`endLine ${endLine} is before line ${line}.`);
  const document = await files.loadDocument(location);
  const { lineCount } = document;
  if (line > lineCount)
    throw new UserError(`${location.path} has ${lineCount} lines; line ${line} is past its end.`);
  const lines: Thread['lines'] = [line, Math.min(endLine, lineCount)];
  return { document, lines };
}

/** Where a comment is to be, as an agent writes it. */
interface Place {
  path: string;
  line: number;
  endLine?: number | undefined;
}

/** @throws UserError if no comment can be there, NotFoundError */
export async function placeFor({ path, line, endLine }: Place, ctx: Context) {
  const location = await ctx.files.locateMeant(path);
  if (isNotebookPath(location.path))
    throw new UserError(`${location.path} is a notebook: VS Code shows no comments on lines of its JSON.`);
  return { location, ...(await linesIn(location, line, endLine, ctx)) };
}

/** The hints of a tool that shows the user what the agent writes, and changes no file. */
export const WRITES = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/** What an agent writes for the user. */
export const written = z.string().trim().min(1).max(LONGEST_COMMENT);

/** This agent, as its comments name it. */
export const writer = ({ author }: Context): string => visible(agentName(author()));

/** @throws UserError if there is no room for a comment */
export function requireRoom(comments: Comments, agent: string, thread?: Thread): void {
  const why = comments.refusal(agent, thread);
  if (why === 'open')
    throw new UserError(
      `${MOST_FOR_AGENTS} comments are open, which is the most for agents. Resolve some, or ask the user to.`,
    );
  if (why === 'fast')
    throw new UserError('You wrote too many comments in the last minute. Wait a minute, or say it in one.');
  if (why === 'long')
    throw new UserError(
      `Comment ${thread?.id} has ${MOST_COMMENTS} texts, which is the most. Resolve it without an answer, and call add_comment.`,
    );
}
