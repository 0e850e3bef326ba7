import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { visibleText } from '../../core/text/visible.ts';
import { defineTool, text } from '../tool.ts';
import { knownThreads, requireRoom, WRITES, writer, written } from './threads.ts';
import { shownThreads, threadText } from './threadText.ts';

export const resolveComment = defineTool({
  name: 'resolve_comment',
  title: 'Answer or resolve comment in VS Code',
  description:
    'Answers a comment of list_comments, resolves it, or both. Call it when you have done what the user wrote.',
  group: 'editor',
  hints: { search: 'answer, reply to, resolve or close a comment of the user' },
  operation: 'read',
  annotations: WRITES,
  input: z.strictObject({
    id: z.int().min(1),
    answer: written.optional().describe('Plain text'),
    resolve: z.boolean().default(true).describe('false: it stays open'),
  }),
  async run({ id, answer, resolve }, ctx) {
    if (answer === undefined && !resolve) throw new UserError('Pass answer, or leave resolve out.');
    const [known] = await knownThreads(ctx, (one) => one.id === id && !one.isShown);
    if (!known) throw new UserError(`There is no comment ${id}. Call list_comments for their ids.`);
    if (known.thread.isResolved)
      throw new UserError(`Comment ${id} is resolved already. Call add_comment for what is new.`);
    const comments = await ctx.comments.load();
    const { id: author } = ctx.author();
    if (comments.unseen(author).includes(known.thread)) {
      const [now] = await shownThreads([known], ctx);
      comments.saw(author, [known.thread]);
      throw new UserError(
        `The user has written there since you read it. Nothing was changed.\n${now ? threadText(now) : ''}`,
        {
          lines: true,
        },
      );
    }
    if (answer !== undefined) {
      const agent = writer(ctx);
      requireRoom(comments, agent, known.thread);
      comments.reply(id, { agent, text: visibleText(answer) });
    }
    if (resolve) comments.resolve(id);
    const done = [answer !== undefined && 'answered', resolve ? 'resolved' : 'still open'].filter(Boolean);
    return text(`Comment ${id} is ${done.join(' and ')}.`);
  },
});
