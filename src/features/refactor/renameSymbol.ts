import type * as vscode from 'vscode';
import * as z from 'zod';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { ifUserError, UserError } from '../../core/errors.ts';
import { mayBeRenamed } from '../../core/names.ts';
import { lastName, ownName } from '../../core/symbolPaths.ts';
import { counted, firstOf } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import { editsByFile, type ProviderEdits, textRequestOf } from '../../services/language/providerEdits.ts';
import { ProviderFailure } from '../../services/language/providerFailure.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { declarationOf } from '../../services/language/symbols/declaration.ts';
import {
  type Everywhere,
  noteOnElsewhere,
  referencesEverywhere,
} from '../../services/language/symbols/elsewhere.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import { twinsOf } from '../../services/language/symbols/twins.ts';
import { inParallel } from '../../util/queues.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { symbolArguments, titleOf } from '../symbols/shown.ts';
import { defineEditTool, text } from '../tool.ts';
import { notesOnRest, startOf } from './renameNotes.ts';

const AT_ONCE = 8;

export const renameSymbol = defineEditTool({
  name: 'rename_symbol',
  title: 'Rename symbol in VS Code',
  description:
    'Renames a symbol and all its uses in all files with the language server, all files or none; the user approves it. Use it instead of replacing text.',
  group: 'language',
  hints: { search: 'rename a symbol in all files, refactor', alwaysLoad: true },
  input: z.strictObject({ ...symbolArguments, newName: z.string().min(1).max(1_000), dryRun, keepIf }),
  async run({ newName, dryRun, keepIf, ...wanted }, ctx, call) {
    const named = await resolveSymbol({ ...wanted, isForChange: true }, ctx, call.signal);
    const target = await declaredElsewhere(named, ctx, call.signal);
    const { document } = target;
    const title = titleOf(target);
    if (!mayBeRenamed(lastName(target.name), newName, document.languageId, target.symbol?.kind))
      throw new UserError(`${title} cannot be renamed to "${newName}": it is no name in this language.`);
    const uses = await usesEverywhere(target, ctx, call.signal);
    const files = await changesOf(target, newName, ctx, call.signal).catch((error) => {
      if (!(error instanceof ProviderFailure)) throw error;
      const reason = ctx.files.redactor.text(error.reason, target.location.path);
      throw new UserError(`${title} cannot be renamed to "${newName}": ${reason}`);
    });
    if (files.length === 0) {
      if (newName !== lastName(target.name)) ctx.providers.missed('a rename', document);
      throw new UserError(`Nothing to rename at ${title}. ${ctx.providers.why('a rename', document)}`);
    }
    await requireName(target, files, ctx);
    const edits = files.map((one) => textRequestOf(one, ctx.files));
    const notes = [
      dryRun && target.namesakes && `Renames ${title}.`,
      ...(await notesOnRest(target, files, newName, uses, ctx, call.signal)),
    ];
    if (dryRun) {
      const [diff, cut] = await previewEdits(edits, ctx, call);
      return text(diff, cut, ...notes);
    }
    const asks = { intent: { type: 'rename', from: lastName(target.name), to: newName } } as const;
    const lines = await makeEdits({ edits, keepIf, asks }, ctx, call);
    return text(
      [`Renamed ${title} to ${visible(newName)} in ${counted(files.length, 'file')}.`, ...lines].join('\n'),
      ...notes,
    );
  },
});

/** What the server changes. Of a C `typedef`, tag and name are two to clangd and one symbol in the tools, so both change, and so do source and stub of Python. */
async function changesOf(target: Target, newName: string, ctx: Context, signal: AbortSignal) {
  const { tag } = target.symbol ?? {};
  const places = tag ? [{ ...target, position: new ctx.vscode.Position(tag.line - 1, tag.column - 1) }] : [];
  const changes: ProviderEdits[] = [];
  for (const { document, position } of [target, ...places, ...(await twinsOf(target, ctx, signal))]) {
    const asked = [document.uri, position, newName];
    const edit = await ctx.providers.value<vscode.WorkspaceEdit>('a rename', document, signal, asked);
    if (edit) changes.push(...(await editsByFile(edit, 'the rename', ctx.files)));
  }
  const byPath = Map.groupBy(changes, ({ location }) => location.path);
  return [...byPath.values()].flatMap(([first, ...more]): ProviderEdits[] => {
    if (!first) return [];
    const edits = [first, ...more].flatMap((one) => one.edits);
    return [{ ...first, edits: [...new Map(edits.map((one) => [startOf(one), one])).values()] }];
  });
}

/** @throws UserError if the server would also change something of another name: then it takes another symbol for this one */
async function requireName(
  target: Target,
  changes: readonly ProviderEdits[],
  { files }: Context,
): Promise<void> {
  const { languageId } = target.document;
  if (!isTypeScript(languageId)) return; // others insert beside a name, or change only a part of it
  const name = ownName(lastName(target.name)).replace(/^(['"])(.*)\1$/, '$2');
  const others = await inParallel(changes, AT_ONCE, async ({ location, edits }) => {
    const lines = await files.lines(
      location,
      edits.map(({ range }) => range.start.line),
    );
    return edits.flatMap(({ range: { start, end } }) => {
      const line = lines.get(start.line) ?? '';
      const text = line.slice(start.character, end.character);
      return end.line !== start.line || text.includes(name) || line.includes(REDACTED)
        ? []
        : `${visible(location.path)}:${start.line + 1}`;
    });
  });
  const places = others.flat();
  if (places.length > 0)
    throw new UserError(
      `Nothing was renamed: the language server would also change what is not called "${visible(name)}" (${firstOf(places)}). Use find_references and edit_file.`,
    );
}

/** Its uses, also in files and projects that the server had not loaded: then the rename counts these too. */
async function usesEverywhere(target: Target, ctx: Context, signal: AbortSignal): Promise<Everywhere> {
  const uses = await referencesEverywhere(target, ctx, signal).catch(ifUserError(undefined));
  if (isTypeScript(target.document.languageId) && uses?.elsewhere.length)
    throw new UserError(`Nothing was renamed. ${noteOnElsewhere(uses.elsewhere, target)}`);
  return uses ?? { found: [], elsewhere: [] };
}

/** At a use in another file TypeScript would only make an alias there. */
async function declaredElsewhere(named: Target, ctx: Context, signal: AbortSignal): Promise<Target> {
  if (named.symbol || !isTypeScript(named.document.languageId)) return named;
  const declared = await declarationOf(named, ctx, signal);
  const isSame = declared?.symbol && ownName(declared.symbol.name) === lastName(named.name);
  return isSame ? declared : named;
}
