/** What the tools that edit declarations share. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { unitOf } from '../../core/declarations/indentation.ts';
import type { DeclarationEdit } from '../../core/declarations/source.ts';
import { UserError } from '../../core/errors.ts';
import { plannedEdit } from '../../services/language/providerEdits.ts';
import { type DeclaredSymbol, declaredSymbol } from '../../services/language/symbols/declared.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import { requireVersion } from '../../workspace/edit/plannedEdit.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { symbolArguments, titleOf } from '../symbols/shown.ts';
import { type ToolCall, text } from '../tool.ts';

export const declarationArguments = {
  ...symbolArguments,
  dryRun,
  keepIf,
  expectedVersion: z.int().min(1).optional(),
};

type DeclarationArguments = z.output<z.ZodObject<typeof declarationArguments>>;

interface Plan {
  edit: DeclarationEdit;
  /** As in "Replaced" or "Inserted after". */
  done: string;
  /** What its lines are now. */
  lines: 'new' | 'deleted';
  note?: string | undefined;
}

/** Edits the declaration of a symbol. @throws UserError, NotFoundError, CancelledError */
export async function editDeclaration(
  { dryRun, keepIf, expectedVersion, ...wanted }: DeclarationArguments,
  ctx: Context,
  call: ToolCall,
  plan: (found: DeclaredSymbol, unit: string) => Plan | Promise<Plan>,
): Promise<CallToolResult> {
  const found = await declaredSymbol(wanted, ctx, call.signal);
  const { target, version } = found;
  const { location } = target;
  requireVersion(location, version, expectedVersion);
  const { edit, done, lines, note } = await plan(found, unitIn(found, ctx));
  const edits = textEdits(edit, found, ctx);
  const planned = plannedEdit({ location, edits }, ctx.files, found.scope.source.text);
  const file = { ...planned, plan: (before: string) => changed(before, planned) };
  if (dryRun) {
    const [diff, cut] = await previewEdits([file], ctx, call);
    return text(diff, cut, note);
  }
  const did = () => `${linesOf(edit)} ${lines}`;
  const after = await makeEdits([file], { keepIf, did }, ctx, call);
  return text([`${done} ${titleOf(target)}.`, ...after].join('\n'), note);
}

/** @throws UserError if the text stays the same */
async function changed(before: string, { plan }: FileEdit): Promise<string> {
  const after = await plan(before);
  if (after === before) throw new UserError('The symbol has this text already: nothing would change.');
  return after;
}

/** One step of indentation: as in the file, otherwise as the user has set. */
function unitIn({ scope, target }: DeclaredSymbol, { vscode }: Context): string {
  const settings = vscode.workspace.getConfiguration('editor', target.document);
  const step = settings.get('insertSpaces', true) ? ' '.repeat(settings.get('tabSize', 4)) : '\t';
  return unitOf(scope.source.text) ?? step;
}

function textEdits(
  { edits }: DeclarationEdit,
  { scope: { source } }: DeclaredSymbol,
  { vscode }: Context,
): vscode.TextEdit[] {
  return edits.map(({ from, to, text }) => {
    const [start, end] = [source.positionAt(from), source.positionAt(to)];
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    return { range, newText: text };
  });
}

const linesOf = ({ first, last }: DeclarationEdit): string =>
  first === last ? `line ${first + 1}` : `lines ${first + 1}-${last + 1}`;
