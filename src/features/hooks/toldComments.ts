import { ifUserError } from '../../core/errors.ts';
import { visible, visibleText } from '../../core/text/visible.ts';
import type { Thread } from '../../workspace/comments/thread.ts';
import type { Context } from '../context.ts';
import { MOST_TOLD, withinBytes } from './told.ts';

/** Bytes of one of them. */
const LONGEST = 800;

const LEAD = 'The user comments on lines (answer by resolve_comment):';

/** What the user has said of lines since this agent last saw it, at most 1 KB; undefined if there is nothing new. */
export async function toldComments(ctx: Context): Promise<string | undefined> {
  const { comments: later, files, author } = ctx;
  if (later.isNone) return undefined;
  const comments = await later.load();
  const threads: { thread: Thread; line: string }[] = [];
  for (const { uri, id } of comments.unseen(author().id)) {
    const location = await files.permitted(uri);
    if (!location) continue;
    const document = await files.loadDocument(location).catch(ifUserError(undefined));
    if (document) comments.lookAt(document);
    const thread = comments.get(id);
    if (thread) threads.push({ thread, line: lineOf(thread, location.path, ctx) });
  }
  const [first] = threads;
  if (!first) return undefined;
  let count = threads.length;
  const textOf = () => [
    LEAD,
    ...threads.slice(0, count).map(({ line }) => line),
    ...more(threads.length - count),
  ];
  while (count > 1 && Buffer.byteLength(textOf().join('\n')) > MOST_TOLD) count--;
  const shown = threads.slice(0, count).map(({ thread }) => thread);
  comments.saw(author().id, shown);
  return withinBytes(textOf().join('\n'), MOST_TOLD);
}

const more = (count: number): string[] => (count > 0 ? [`list_comments has ${count} more.`] : []);

/** With what was said since an agent last spoke. */
function lineOf(
  { id, lines: [first, last], isGone, comments }: Thread,
  path: string,
  { files }: Context,
): string {
  const own = comments.slice(comments.findLastIndex(({ agent }) => agent !== undefined) + 1);
  const all = own.map(({ text }) => visibleText(files.redactor.text(text, path))).join('\n');
  const cut = withinBytes(all, LONGEST);
  const words = cut === all ? all : `${cut}…`;
  const place = `${visible(path)}:${first === last ? first : `${first}-${last}`}`;
  return `#${id} ${place}${isGone ? ' (these lines are gone)' : ''}: ${words}`;
}
