import { ifUserError } from '../../core/errors.ts';
import { cutText, fitting } from '../../core/text/cut.ts';
import { visible, visibleText } from '../../core/text/visible.ts';
import { type Comments, waitsForAgent } from '../../workspace/comments/comments.ts';
import type { Comment, Thread } from '../../workspace/comments/thread.ts';
import type { Context } from '../context.ts';
import type { KnownThread } from './threads.ts';

/** A thread as agents read it. */
export interface ShownThread {
  id: number;
  path: string;
  /** Where the lines are now; where they last were, if they are gone. 1-based, both included. */
  startLine: number;
  endLine: number;
  gone?: 'file' | 'lines';
  unsaved?: true;
  resolved?: true;
  waitsForAgent?: true;
  /** The lines, and some around them, with their numbers. */
  code?: string;
  comments: { agent?: string; at: string; text: string }[];
  /** Comments behind the first that are too many. */
  leftOut?: number;
}

/** Lines around those of a thread; most lines of it, and UTF-16 units of each, that are shown. */
const AROUND = 2;
const MOST_LINES = 12;
const LONGEST_LINE = 300;
/** Most UTF-16 units of a thread's comments behind the first. */
const MOST_TEXT = 8_000;

/** With the lines as they are now. Those that were removed meanwhile are left out. */
export async function shownThreads(known: readonly KnownThread[], ctx: Context): Promise<ShownThread[]> {
  if (known.length === 0) return [];
  const comments = await ctx.comments.load();
  const byFile = Map.groupBy(known, ({ thread }) => `${thread.uri}`);
  const shown = await Promise.all([...byFile.values()].map((some) => ofFile(some, comments, ctx)));
  return shown.flat().sort((a, b) => a.id - b.id);
}

/** @param known threads of one file */
async function ofFile(known: readonly KnownThread[], comments: Comments, ctx: Context) {
  const { files } = ctx;
  const { location, path = '', thread: { uri } = {} } = known[0] ?? {};
  const document = location && (await files.loadDocument(location).catch(ifUserError(undefined)));
  if (document && uri) comments.look(uri, document);
  const threads = known.flatMap(({ thread: { id } }) => comments.get(id) ?? []);
  const wanted = threads.flatMap(linesAround).map((line) => line - 1);
  const texts = document && (await files.lines(location, [...new Set(wanted)]).catch(ifUserError(undefined)));
  return threads.map((thread): ShownThread => {
    const gone = location ? thread.isGone && 'lines' : 'file';
    const code = gone || !texts ? '' : codeOf(thread, texts);
    return {
      id: thread.id,
      path,
      startLine: thread.lines[0],
      endLine: thread.lines[1],
      ...(gone && { gone }),
      ...(document?.isDirty && { unsaved: true }),
      ...(thread.isResolved && { resolved: true }),
      ...(waitsForAgent(thread) && { waitsForAgent: true }),
      ...(code && { code }),
      ...commentsOf(thread, ctx),
    };
  });
}

/** 1-based. */
function linesAround({ lines: [first, last] }: Thread): number[] {
  const start = Math.max(1, first - AROUND);
  const end = Math.min(last, first + MOST_LINES - 1) + AROUND;
  return Array.from({ length: end - start + 1 }, (_, at) => start + at);
}

/** @param texts by 0-based line */
const codeOf = (thread: Thread, texts: ReadonlyMap<number, string>): string =>
  linesAround(thread)
    .flatMap((line) => {
      const text = texts.get(line - 1);
      return text === undefined ? [] : [`${line}: ${visibleText(cutText(text, LONGEST_LINE))}`];
    })
    .join('\n');

function commentsOf({ comments: [first, ...others] }: Thread, { files: { redactor } }: Context) {
  const latest = others.toReversed();
  const count = fitting(latest, MOST_TEXT, ({ text }) => text.length);
  const shown = first ? [first, ...latest.slice(0, count).reverse()] : [];
  const textOf = ({ agent, at, text }: Comment) => ({
    ...(agent !== undefined && { agent }),
    at: new Date(at).toISOString(),
    text: redactor.text(text),
  });
  return { comments: shown.map(textOf), ...(count < others.length && { leftOut: others.length - count }) };
}

/** Where a thread is, such as `src/a.ts:3-5`. */
export const placeText = ({ path, startLine, endLine }: Omit<ShownThread, 'comments'>): string =>
  `${visible(path)}:${startLine}${endLine === startLine ? '' : `-${endLine}`}`;

/** Each line of a comment is indented: none can pass as another's. */
export function threadText(thread: ShownThread): string {
  const { id, gone, unsaved, resolved, waitsForAgent, code, comments, leftOut } = thread;
  const notes = [
    gone && `the ${gone} ${gone === 'file' ? 'is' : 'are'} gone`,
    unsaved && 'unsaved',
    resolved && 'resolved',
    waitsForAgent && 'waits for an answer',
  ].filter(Boolean);
  const said = comments.map(
    ({ agent, at, text }) =>
      `${agent === undefined ? 'The user' : `Agent ${visible(agent)}`}, ${at.slice(0, 19)}Z:\n  ${visibleText(text).replaceAll('\n', '\n  ')}`,
  );
  if (leftOut) said.splice(1, 0, `(${leftOut} comments left out)`);
  const head = `#${id} ${placeText(thread)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  return [head, ...(code ? [code] : []), ...said].join('\n');
}
