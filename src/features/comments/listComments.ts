import * as z from 'zod';
import { page } from '../../core/page.ts';
import { fitting } from '../../core/text/cut.ts';
import { isOpen } from '../../workspace/comments/thread.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';
import { defineReadTool, text } from '../tool.ts';
import { type KnownThread, knownThreads } from './threads.ts';
import { type ShownThread, shownThreads, threadText } from './threadText.ts';

export const listComments = defineReadTool({
  name: 'list_comments',
  title: 'List comments in VS Code',
  description:
    'Lists the open comments of the user and of agents on lines of files, with the lines as they are now. Call it when the user mentions comments, and before add_comment.',
  group: 'editor',
  hints: { search: 'comments, questions, notes and review remarks of the user on lines of code' },
  input: z.strictObject({
    path: z.string().min(1).optional().describe('File or folder'),
    resolved: z.boolean().default(false).describe('Also resolved ones'),
    limit: args.limit(50),
    cursor: args.cursor,
  }),
  async run({ path, resolved, limit, cursor }, ctx) {
    const isIn = await scopeOf(path, ctx);
    const known = await knownThreads(ctx, (one) => (resolved ? !one.isShown : isOpen(one)));
    const all = known.filter(isIn);
    const paged = (size: number) => page('list_comments', all, keyOf, cursor, size);
    const shown = await shownThreads(paged(limit).items, ctx);
    const texts = shown.map(threadText);
    if (texts.length === 0) return text(`There are no ${resolved ? '' : 'open '}comments.`);
    const count = fitting(texts, args.DEFAULT_CHARACTERS, ({ length }) => length + 2);
    const { nextCursor } = paged(count);
    const ids = new Set(shown.slice(0, count).map(({ id }) => id));
    const seen = known.flatMap(({ thread }) => (ids.has(thread.id) ? [thread] : []));
    (await ctx.comments.load()).saw(ctx.author().id, seen);
    const more = nextCursor && `${all.length} comments. For more pass cursor "${nextCursor}".`;
    return text(texts.slice(0, count).join('\n\n'), more);
  },
});

/** Sorts as the ids do. */
const keyOf = ({ thread: { id } }: KnownThread): string => `${id}`.padStart(10, '0');

/** @throws UserError, NotFoundError */
async function scopeOf(path: string | undefined, { files }: Context): Promise<(one: KnownThread) => boolean> {
  if (path === undefined || path === '.') return () => true;
  const { uri, targetUri = uri } = await files.locateMeant(path);
  const tops = [uri, targetUri].map((top) => `${`${top}`.replace(/\/$/, '')}/`);
  return ({ thread }) => tops.some((top) => `${thread.uri}/`.startsWith(top));
}

/** Most threads that the resource has, the last begun; and most UTF-16 units of their JSON. */
const MOST_THREADS = 50;
const MOST_JSON = 100_000;

export const comments = editorResource({
  name: 'comments',
  all: {
    title: 'Comments',
    description: 'Open comments of the user and of agents on lines of files, as in list_comments.',
    priority: 0.9,
    read: async (ctx) => {
      const known = await knownThreads(ctx, isOpen);
      const latest = (await shownThreads(known.slice(-MOST_THREADS), ctx)).reverse();
      const count = fitting(latest, MOST_JSON, sizeOf);
      const leftOut = known.length - count;
      return { ...(leftOut > 0 && { leftOut }), comments: latest.slice(0, count).reverse() };
    },
  },

  follow({ comments: later, files }, { all }) {
    /** What this agent may know of them; undefined while that is not known. */
    let known = later.isNone ? '[]' : undefined;
    const print = async (): Promise<string> => {
      const { threads } = await later.load();
      const open = threads.filter((one) => isOpen(one) && files.mayKnow(one.uri));
      return JSON.stringify(open.map(({ uri, ...one }) => ({ uri: `${uri}`, ...one })));
    };
    const look = async (changed: () => void) => {
      const now = await print();
      if (now === known) return;
      known = now;
      changed();
    };
    if (known === undefined) void look(() => {}).catch(() => {});
    return later.onDidChange(() => void look(all).catch(() => {}));
  },
});

const sizeOf = (thread: ShownThread): number => JSON.stringify(thread).length + 1;
