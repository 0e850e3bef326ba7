import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { counted } from '../../core/text/cut.ts';
import { visible, visibleText } from '../../core/text/visible.ts';
import { withDeadline } from '../../util/clock.ts';
import { showQuietly } from '../../util/tabs.ts';
import type { Comments } from '../../workspace/comments/comments.ts';
import * as args from '../arguments.ts';
import { placeFor, writer, written } from '../comments/threads.ts';
import type { Context } from '../context.ts';
import { text } from '../tool.ts';

export const places = z
  .array(
    z.strictObject({
      path: z.string().min(1),
      line: args.line,
      endLine: args.line.optional(),
      note: written,
    }),
  )
  .min(1)
  .max(20);

/**
 * Shows notes beside lines, and opens the first. They replace those that this agent has shown before.
 *
 * @throws UserError, NotFoundError if one of the places is none: then nothing is shown
 */
export async function showPlaces(all: z.output<typeof places>, ctx: Context): Promise<CallToolResult> {
  const { vscode } = ctx;
  const found: (Awaited<ReturnType<typeof placeFor>> & { note: string })[] = [];
  for (const { note, ...place } of all) found.push({ ...(await placeFor(place, ctx)), note });
  const [first] = found;
  if (!first) throw new Error('There are no places.'); // the schema wants one
  const comments = await ctx.comments.load();
  const [start, end] = first.lines;
  const range = new vscode.Range(start - 1, 0, end - 1, Number.MAX_SAFE_INTEGER);
  const { path } = first.location;
  await withDeadline(showQuietly(vscode, first.location.uri, range), `opening ${path}`);
  const agent = writer(ctx);
  comments.remove(shownBy(agent, comments));
  for (const { document, lines, note } of found)
    comments.add({ uri: document.uri, lines, agent, text: visibleText(note), isShown: true }, document);
  return text(
    `${counted(found.length, 'note is', 'notes are')} shown; ${visible(path)} is open at line ${start}.`,
  );
}

const shownBy = (agent: string, { threads }: Comments): number[] =>
  threads.filter(({ isShown, comments }) => isShown && comments[0]?.agent === agent).map(({ id }) => id);
