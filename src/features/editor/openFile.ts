import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import { withDeadline } from '../../util/clock.ts';
import { showQuietly } from '../../util/tabs.ts';
import * as args from '../arguments.ts';
import { defineTool, text } from '../tool.ts';

export const openFile = defineTool({
  name: 'open_file',
  title: 'Open file in VS Code',
  description:
    'Opens a file at a line in VS Code to show it to the user. Use it when they should look there; it does not take the keyboard focus.',
  group: 'editor',
  hints: { search: 'open a file at a line to show the user' },
  operation: 'read',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    path: args.path,
    line: args.line.optional(),
    column: args.column.optional(),
    endLine: args.line.optional().describe('Selects line to endLine'),
  }),
  async run({ path, line, column, endLine }, { vscode, files }) {
    const selection = rangeOf(line, column, endLine, vscode);
    const location = await files.locateMeant(path);
    const stat = await files.stat(location);
    if (stat && !stat.isFile)
      throw new UserError(`${location.path} is not a file. open_file shows only files.`);
    const lines = line === undefined ? undefined : (await files.loadDocument(location)).lineCount;
    if (line !== undefined && lines !== undefined && line > lines)
      throw new UserError(`${location.path} has ${lines} lines; line ${line} is past its end.`);
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
  if (endLine < line) throw new UserError(`endLine ${endLine} is before line ${line}.`);
  return new Range(line - 1, start, endLine - 1, Number.MAX_SAFE_INTEGER);
}
