import * as z from 'zod';
import { visibleText } from '../../core/text/visible.ts';
import * as args from '../arguments.ts';
import { defineTool, text } from '../tool.ts';
import { placeFor, requireRoom, WRITES, writer, written } from './threads.ts';
import { placeText } from './threadText.ts';

export const addComment = defineTool({
  name: 'add_comment',
  title: 'Comment on lines in VS Code',
  description:
    'Shows the user a question or finding beside lines of a file in VS Code; the file does not change. Use it for what need not be answered at once, else ask_user. list_comments has the answer.',
  group: 'editor',
  hints: { search: 'leave a comment, question, finding or review remark on lines for the user' },
  operation: 'read',
  annotations: WRITES,
  input: z.strictObject({
    path: args.path,
    line: args.line,
    endLine: args.line.optional(),
    text: written.describe('Plain text'),
  }),
  async run({ text: words, ...place }, ctx) {
    const { location, document, lines } = await placeFor(place, ctx);
    const comments = await ctx.comments.load();
    const agent = writer(ctx);
    requireRoom(comments, agent);
    const thread = { uri: document.uri, lines, agent, text: visibleText(words) };
    const { id } = comments.add(thread, document);
    const [startLine, endLine] = lines;
    return text(
      `Comment ${id} is at ${placeText({ id, path: location.path, startLine, endLine })}, for the user to see.`,
      location.note,
    );
  },
});
