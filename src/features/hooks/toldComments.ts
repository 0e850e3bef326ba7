import { visibleText } from '../../core/text/visible.ts';
import { knownThreads } from '../comments/threads.ts';
import { placeText, type ShownThread, shownThreads } from '../comments/threadText.ts';
import type { Context } from '../context.ts';
import { MOST_TOLD, withinBytes } from './told.ts';

/** Most threads of which the files are loaded at once. */
const MOST_LOOKED_AT = 20;
/** Bytes of one of them. */
const LONGEST = 800;

const LEAD = 'The user comments on lines (answer by resolve_comment):';

/** What the user has said of lines since this agent last saw it, at most 1 KB; undefined if there is nothing new, or nobody waits for it. */
export async function toldComments(ctx: Context, signal?: AbortSignal): Promise<string | undefined> {
  if (ctx.comments.isNone) return undefined;
  const comments = await ctx.comments.load();
  const { id: agent } = ctx.author();
  const unseen = comments.unseen(agent).slice(0, MOST_LOOKED_AT);
  const threads = await shownThreads(await knownThreads(ctx, (one) => unseen.includes(one)), ctx);
  if (threads.length === 0 || signal?.aborted) return undefined;
  const lines = threads.map(lineOf);
  let count = lines.length;
  const told = () => [LEAD, ...lines.slice(0, count), ...more(lines.length - count)].join('\n');
  while (count > 1 && Buffer.byteLength(told()) > MOST_TOLD) count--;
  const ids = new Set(threads.slice(0, count).map(({ id }) => id));
  comments.saw(
    agent,
    unseen.filter(({ id }) => ids.has(id)),
  );
  return withinBytes(told(), MOST_TOLD);
}

const more = (count: number): string[] => (count > 0 ? [`list_comments has ${count} more.`] : []);

/** With what was said since an agent last spoke. */
function lineOf(thread: ShownThread): string {
  const { id, gone, comments } = thread;
  const own = comments.slice(comments.findLastIndex(({ agent }) => agent !== undefined) + 1);
  const all = own.map(({ text }) => visibleText(text)).join('\n');
  const cut = withinBytes(all, LONGEST);
  const isGone = gone ? ` (the ${gone} ${gone === 'file' ? 'is' : 'are'} gone)` : '';
  return `#${id} ${placeText(thread)}${isGone}: ${cut === all ? all : `${cut}…`}`;
}
