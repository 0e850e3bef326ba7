import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { textRequestOf } from '../../services/language/providerEdits.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
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
    const { vscode, files } = ctx;
    const location = await files.locate(path);
    const document = await files.loadDocument(location);
    const range = rangeOf(startLine, endLine, document, vscode);
    const { edits, isOfWhole } = await formatted(document, range, ctx, call.signal);
    if (edits.length === 0) throw new UserError(unchanged(location.path, document, ctx));
    const edit = textRequestOf({ location, edits }, files);
    const note = isOfWhole && ONLY_WHOLE;
    if (dryRun) return text(...(await previewEdits([edit], ctx, call)), note);
    const asks = { intent: { type: 'format' } } as const;
    return text((await makeEdits({ edits: [edit], keepIf, asks }, ctx, call)).join('\n'), note);
  },
});

const ONLY_WHOLE = 'The formatter formats only whole files: these are its changes in those lines.';

/** What the formatters change. Without options VS Code takes those of the text: its own indentation, if it has one. */
async function formatted(
  document: vscode.TextDocument,
  range: vscode.Range | undefined,
  { providers }: Context,
  signal: AbortSignal,
): Promise<{ edits: readonly vscode.TextEdit[]; isOfWhole?: true }> {
  const ofLines =
    range && (await providers.ask<vscode.TextEdit>('formatted lines', document, signal, range, undefined));
  if (ofLines && (ofLines.length > 0 || providers.offers('formatted lines', document)))
    return { edits: ofLines };
  const all = await providers.ask<vscode.TextEdit>('a formatted text', document, signal, undefined);
  if (!range) return { edits: all };
  const isInside = ({ start, end }: vscode.Range) =>
    range.start.compareTo(start) <= 0 && end.compareTo(range.end) <= 0;
  return { edits: all.filter((edit) => isInside(edit.range)), isOfWhole: true };
}

/** Why nothing is formatted, as far as it is known. Formatters of many languages give nothing for a text with syntax errors. */
function unchanged(path: string, document: vscode.TextDocument, { providers, vscode }: Context): string {
  const { languageId, uri } = document;
  const hasErrors = vscode.languages.getDiagnostics(uri).some(({ severity }) => severity === 0);
  const reasons = [
    'it is formatted already',
    ...(providers.offers('a formatted text', document) ? [] : [`no extension formats "${languageId}"`]),
    ...(hasErrors ? ['its errors keep the formatter from it'] : []),
  ];
  return `${path} is unchanged: ${reasons.join(', or ')}.`;
}

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
