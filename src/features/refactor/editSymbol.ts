import type * as vscode from 'vscode';
import * as z from 'zod';
import { unitOf } from '../../core/declarations/indentation.ts';
import type { DeclarationEdit } from '../../core/declarations/source.ts';
import { UserError } from '../../core/errors.ts';
import { plannedEdit } from '../../services/language/providerEdits.ts';
import { type DeclaredSymbol, declaredSymbol } from '../../services/language/symbols/declaration.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import { requireVersion } from '../../workspace/edit/plannedEdit.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { symbolArguments, titleOf } from '../symbols/shown.ts';
import { defineEditTool, text } from '../tool.ts';
import { type Action, changedBy, codeOf, DONE } from './symbolChanges.ts';
import { deletion } from './symbolDeletion.ts';

const ACTIONS = Object.keys(DONE) as [Action];

/** Replaces or deletes the declaration of a symbol, or inserts code beside or inside it. */
export const editSymbol = defineEditTool({
  name: 'edit_symbol',
  title: 'Edit symbol in VS Code',
  description:
    'Replaces or deletes a whole function, class or other symbol, or inserts code beside or inside it; the user approves it. Use it to rewrite, add or remove code without old text. Of a symbol with uses, delete only lists these.',
  group: 'language',
  hints: { search: 'replace, add or delete a function, method or class; dead code' },
  input: z.strictObject({
    action: z.enum(ACTIONS).describe('insert_first, insert_last: inside'),
    body: z
      .string()
      .min(1)
      .optional()
      .describe('Any indentation; comments and decorators above stay unless body has its own'),
    ...symbolArguments,
    dryRun,
    keepIf,
    expectedVersion: z.int().min(1).optional(),
  }),
  async run({ action, body, dryRun, keepIf, expectedVersion, ...wanted }, ctx, call) {
    if (action === 'delete' && body !== undefined) throw new UserError('The action "delete" takes no body.');
    const code = action === 'delete' ? '' : codeOf(body);
    const found = await declaredSymbol(wanted, ctx, call.signal);
    const { target, version } = found;
    const { location } = target;
    requireVersion(location, version, expectedVersion);
    const [edit, note] =
      action === 'delete'
        ? await deletion(found, ctx, call.signal)
        : [changedBy(action, found, { body: code, unit: unitIn(found, ctx) })];
    const edits = textEdits(edit, found, ctx);
    const planned = plannedEdit({ location, edits }, ctx.files, found.scope.source.text);
    const file = { ...planned, plan: (before: string) => changed(before, planned) };
    if (dryRun) {
      const [diff, cut] = await previewEdits([file], ctx, call);
      return text(diff, cut, note);
    }
    const did = () => `${linesOf(edit)} ${action === 'delete' ? 'deleted' : 'new'}`;
    const after = await makeEdits([file], { keepIf, did }, ctx, call);
    return text([`${DONE[action]} ${titleOf(target)}.`, ...after].join('\n'), note);
  },
});

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
