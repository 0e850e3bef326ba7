import type * as vscode from 'vscode';
import * as z from 'zod';
import { counted, UserError, visible } from '../../core/messages.ts';
import { bareName, lastName } from '../../core/symbolPaths.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import { editsByFile, type FileEdits, plannedEdit } from '../../services/language/providerEdits.ts';
import { ProviderFailure } from '../../services/language/providerFailure.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { declarationOf } from '../../services/language/symbols/declaration.ts';
import { linesElsewhere, noteOnElsewhere } from '../../services/language/symbols/places.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { symbolArguments, titleOf } from '../symbols/shown.ts';
import { defineEditTool, text } from '../tool.ts';

const NAME = /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u;

export const renameSymbol = defineEditTool({
  name: 'rename_symbol',
  title: 'Rename symbol in VS Code',
  description:
    'Renames a symbol and all its uses in all files with the language server, all files or none; the user approves it. Use it instead of replacing text.',
  group: 'language',
  hints: { search: 'rename a symbol in all files, refactor', alwaysLoad: true },
  input: z.strictObject({ ...symbolArguments, newName: z.string().min(1).max(1_000), dryRun, keepIf }),
  async run({ newName, dryRun, keepIf, ...wanted }, ctx, call) {
    const named = await resolveSymbol(wanted, ctx, call.signal);
    const target = await declaredElsewhere(named, ctx, call.signal);
    const { document, position } = target;
    const title = titleOf(target);
    // TypeScript renames to anything.
    if (isTypeScript(document.languageId) && NAME.test(lastName(target.name)) && !NAME.test(newName))
      throw new UserError(`${title} cannot be renamed to "${newName}": it is no name in this language.`);
    const asked = [document.uri, position, newName];
    const renaming = ctx.providers.value<vscode.WorkspaceEdit>('a rename', document, call.signal, asked);
    const edit = await renaming.catch((error) => {
      if (!(error instanceof ProviderFailure)) throw error;
      const reason = ctx.files.redactor.text(error.reason, target.location.path);
      throw new UserError(`${title} cannot be renamed to "${newName}": ${reason}`);
    });
    const files = edit ? await editsByFile(edit, 'the rename', ctx.files) : [];
    if (files.length === 0)
      throw new UserError(`Nothing to rename at ${title}. ${ctx.providers.why('a rename', document)}`);
    const edits = files.map((one) => plannedEdit(one, ctx.files));
    const covered = new Set(files.map(({ location }) => location.path));
    const elsewhere = await linesElsewhere(target, covered, ctx, call.signal);
    const notes = [noteOnAlias(files, newName), noteOnElsewhere(elsewhere, target)];
    if (dryRun) {
      const [diff, cut] = await previewEdits(edits, ctx, call);
      return text(diff, cut, ...notes);
    }
    const did = (index: number) => counted(files[index]?.edits.length ?? 0, 'replacement');
    const asks = { intent: { type: 'rename', from: lastName(target.name), to: newName } } as const;
    const lines = await makeEdits(edits, { keepIf, did, asks }, ctx, call);
    return text(
      [`Renamed ${title} to ${visible(newName)} in ${counted(files.length, 'file')}.`, ...lines].join('\n'),
      ...notes,
    );
  },
});

/** At a use in another file TypeScript would only make an alias there. */
async function declaredElsewhere(named: Target, ctx: Context, signal: AbortSignal): Promise<Target> {
  if (named.symbol || !isTypeScript(named.document.languageId)) return named;
  const declared = await declarationOf(named, ctx, signal);
  const isSame = declared?.symbol && bareName(declared.symbol.name) === lastName(named.name);
  return isSame ? declared : named;
}

/** Where a property or an import keeps its name, TypeScript writes `old: new` or `old as new`. */
function noteOnAlias(files: readonly FileEdits[], newName: string): string | undefined {
  const alias = files
    .flatMap(({ edits }) => edits.map((edit) => edit.newText))
    .find((text) => text !== newName && /^[\w$#]+(?: as |: )[\w$#]+$/.test(text));
  if (alias === undefined) return undefined;
  return `Not everything has the new name: "${visible(alias)}" keeps the other one. To rename that too, rename the property or the export itself.`;
}
