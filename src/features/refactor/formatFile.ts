import type * as vscode from 'vscode';
import * as z from 'zod';
import { counted, UserError } from '../../core/messages.ts';
import { plannedEdit } from '../../services/language/providerEdits.ts';
import * as args from '../arguments.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { defineEditTool, text } from '../tool.ts';

export const formatFile = defineEditTool({
  name: 'format_file',
  title: 'Format file in VS Code',
  description:
    'Formats a file, or some of its lines, with the formatter and indentation that VS Code uses for it; the user approves it. Use it after edits.',
  group: 'language',
  hints: { search: 'format code, prettier, indentation' },
  input: z.strictObject({
    path: args.path,
    startLine: args.line.optional(),
    endLine: args.line.optional(),
    dryRun,
    keepIf,
  }),
  async run({ path, startLine, endLine = startLine, dryRun, keepIf }, ctx, call) {
    const { vscode, files, providers } = ctx;
    const location = await files.locate(path);
    const document = await files.loadDocument(location);
    const range = rangeOf(startLine, endLine, document, vscode);
    // Without options VS Code takes those of the text: its own indentation, if it has one.
    const edits = range
      ? await providers.ask<vscode.TextEdit>('formatted lines', document, call.signal, range, undefined)
      : await providers.ask<vscode.TextEdit>('a formatted text', document, call.signal, undefined);
    if (edits.length === 0)
      throw new UserError(
        `${location.path} is unchanged: it is formatted already, or no extension formats "${document.languageId}".`,
      );
    const edit = plannedEdit({ location, edits }, files);
    if (dryRun) return text(...(await previewEdits([edit], ctx, call)));
    const did = () => counted(edits.length, 'replacement');
    const asks = { intent: { type: 'format' } } as const;
    return text((await makeEdits([edit], { keepIf, did, asks }, ctx, call)).join('\n'));
  },
});

/** Whole lines; undefined without any. @throws UserError if there are no such lines */
function rangeOf(
  startLine: number | undefined,
  endLine: number | undefined,
  document: vscode.TextDocument,
  { Range }: typeof vscode,
): vscode.Range | undefined {
  if (endLine === undefined) return undefined;
  const { lineCount } = document;
  if (startLine === undefined) throw new UserError('endLine needs startLine as well.');
  if (endLine < startLine || endLine > lineCount)
    throw new UserError(`There are no lines ${startLine} to ${endLine}: the file has ${lineCount}.`);
  return document.validateRange(new Range(startLine - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER));
}
