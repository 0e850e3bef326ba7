import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import { withDeadline } from '../../util/clock.ts';
import { showQuietly } from '../../util/tabs.ts';
import * as args from '../arguments.ts';
import { linesIn } from '../comments/threads.ts';
import { defineTool, text } from '../tool.ts';
import { places, showPlaces } from './showPlaces.ts';

export const openFile = defineTool({
  name: 'open_file',
  title: 'Open file in VS Code',
  description:
    'Opens a file at a line in VS Code to show it to the user, or several places with a note at each. Use it when they should look there; it does not take the keyboard focus.',
  group: 'editor',
  hints: { search: 'open a file at a line to show the user; walk through code, tour' },
  operation: 'read',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    path: args.path.optional(),
    line: args.line.optional(),
    column: args.column.optional(),
    endLine: args.line.optional().describe('Selects line to endLine'),
    places: places.optional().describe('Instead of path'),
  }),
  async run({ path, line, column, endLine, places }, ctx) {
    const { vscode, files } = ctx;
    if (places && path === undefined) return showPlaces(places, ctx);
    if (places || path === undefined) throw new UserError('Pass either path or places.');
    const selection = rangeOf(line, column, endLine, vscode);
    const location = await files.locateMeant(path);
    const stat = await files.stat(location);
    if (stat && !stat.isFile)
      throw new UserError(`${location.path} is not a file. open_file shows only files.`);
    if (line !== undefined) await linesIn(location, line, endLine, ctx);
    await withDeadline(showQuietly(vscode, location.uri, selection), `opening ${location.path}`);
    return text(`${visible(location.path)} is open${line ? ` at line ${line}` : ''}.`);
  },
});

/** The cursor position, or the range from there to the end of endLine; undefined without a line. */
function rangeOf(
  line: number | undefined,
  column: number | undefined,
  endLine: number | undefined,
  { Range }: typeof vscode,
): vscode.Range | undefined {
  if (line === undefined) {
    if (column === undefined && endLine === undefined) return undefined;
    throw new UserError(`${endLine === undefined ? 'column' : 'endLine'} needs line as well.`);
  }
  const start = (column ?? 1) - 1;
  if (endLine === undefined) return new Range(line - 1, start, line - 1, start);
  return new Range(line - 1, start, endLine - 1, Number.MAX_SAFE_INTEGER);
}
