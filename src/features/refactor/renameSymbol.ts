import type * as vscode from 'vscode';
import * as z from 'zod';
import { PROSE, TYPES } from '../../core/kinds.ts';
import { counted, firstOf, ifUserError, UserError, visible } from '../../core/messages.ts';
import { bareName, lastName } from '../../core/symbolPaths.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import { editsByFile, type FileEdits, plannedEdit } from '../../services/language/providerEdits.ts';
import { ProviderFailure } from '../../services/language/providerFailure.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { declarationOf } from '../../services/language/symbols/declaration.ts';
import {
  type Everywhere,
  noteOnElsewhere,
  referencesEverywhere,
} from '../../services/language/symbols/elsewhere.ts';
import { outlineOf } from '../../services/language/symbols/outline.ts';
import { type OpenPlace, openPlaces } from '../../services/language/symbols/places.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import { inParallel } from '../../util/turns.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { symbolArguments, titleOf } from '../symbols/shown.ts';
import { defineEditTool, text } from '../tool.ts';

const NAME = /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** What an identifier has in no language; a heading may have it. */
const NO_NAME = /[\s,;(){}[\]"'`]/;

const mayBeName = (name: string, languageId: string): boolean =>
  isTypeScript(languageId) ? NAME.test(name) : PROSE.has(languageId) || !NO_NAME.test(name);

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
    const { document } = target;
    const title = titleOf(target);
    // Servers rename to anything.
    if (NAME.test(lastName(target.name)) && !mayBeName(newName, document.languageId))
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
    const edits = files.map((one) => plannedEdit(one, ctx.files));
    const notes = [
      noteOnAlias(files, newName),
      ...(await notesOnOthers(target, files, uses, ctx, call.signal)),
    ];
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

/** What the server changes. Of a C `typedef`, tag and name are two to clangd and one symbol in the tools, so both change. */
async function changesOf(target: Target, newName: string, ctx: Context, signal: AbortSignal) {
  const { document, position, symbol } = target;
  const tag = symbol?.tag && new ctx.vscode.Position(symbol.tag.line - 1, symbol.tag.column - 1);
  const changes: FileEdits[] = [];
  for (const place of tag ? [position, tag] : [position]) {
    const asked = [document.uri, place, newName];
    const edit = await ctx.providers.value<vscode.WorkspaceEdit>('a rename', document, signal, asked);
    if (edit) changes.push(...(await editsByFile(edit, 'the rename', ctx.files)));
  }
  const byPath = Map.groupBy(changes, ({ location }) => location.path);
  return [...byPath.values()].flatMap(([first, ...more]): FileEdits[] => {
    if (!first) return [];
    const edits = [first, ...more].flatMap((one) => one.edits);
    return [{ ...first, edits: [...new Map(edits.map((one) => [startOf(one), one])).values()] }];
  });
}

/** 1-based, as those of symbols. */
const startOf = ({ range: { start } }: vscode.TextEdit) => `${start.line + 1}:${start.character + 1}`;

/** Its uses, also in files that the server had not loaded: then the rename counts these too. None of TypeScript, whose projects are loaded. */
async function usesEverywhere(target: Target, ctx: Context, signal: AbortSignal): Promise<Everywhere> {
  const none: Everywhere = { found: [], elsewhere: [] };
  if (isTypeScript(target.document.languageId)) return none;
  return referencesEverywhere(target, ctx, signal).catch(ifUserError(none));
}

/** Notes on what keeps the name. */
async function notesOnOthers(
  target: Target,
  files: readonly FileEdits[],
  { found, elsewhere }: Everywhere,
  ctx: Context,
  signal: AbortSignal,
): Promise<(string | undefined)[]> {
  if (isTypeScript(target.document.languageId)) return [];
  const renamed = new Set(files.map(({ location }) => location.path));
  const { open } = await openPlaces(found, ctx.files);
  const left = open.filter(({ location }) => !renamed.has(location.path));
  const answered = new Set(open.map(({ location }) => location.path));
  const rest = elsewhere.filter(({ path }) => !renamed.has(path) || answered.has(path));
  return [noteOnLeft(left), await noteOnNamesakes(target, files, ctx, signal), noteOnElsewhere(rest, target)];
}

/** Pyright, for one, knows uses in files outside of its project, but does not rename there. */
function noteOnLeft(uses: readonly OpenPlace[]): string | undefined {
  if (uses.length === 0) return undefined;
  const named = firstOf(uses.map((one) => `${visible(one.location.path)}:${one.range.start.line + 1}`));
  const lines = counted(uses.length, 'line uses', 'lines use');
  return `${lines} it in files where the language server renames nothing (${named}): use edit_file.`;
}

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

/** Files whose symbols are looked at, at most. */
const MOST_OUTLINED = 10;

/** The members of other types, in the files of a rename, that keep the name: not every server renames what overrides a method. */
async function noteOnNamesakes(
  { name, symbol }: Target,
  files: readonly FileEdits[],
  ctx: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!symbol || !name.includes('/')) return undefined;
  const wanted = bareName(symbol.name);
  const found = await inParallel(files.slice(0, MOST_OUTLINED), 1, async ({ location, edits }) => {
    const outline = await outlineOf(location, ctx, signal).catch(ifUserError(undefined));
    const types = new Set(outline?.all.flatMap((one) => (TYPES.has(one.symbol.kind) ? [one.path] : [])));
    const changed = new Set(edits.map(startOf));
    const namesakes = outline?.all.filter(
      ({ symbol: { name, line, column }, path }) =>
        bareName(name) === wanted &&
        types.has(path.replace(/\/[^/]*$/, '')) &&
        !changed.has(`${line}:${column}`),
    );
    return (
      namesakes?.map(({ symbol, path }) => `${visible(path)} (${visible(location.path)}:${symbol.line})`) ??
      []
    );
  });
  const all = found.flat();
  if (all.length === 0) return undefined;
  return `Not renamed, though the name is the same: ${firstOf(all)}.`;
}
