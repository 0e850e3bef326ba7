import type * as vscode from 'vscode';
import * as z from 'zod';
import { unitOf } from '../../core/declarations/indentation.ts';
import type { Insertion } from '../../core/declarations/insert.ts';
import { type Action, planned } from '../../core/declarations/plan.ts';
import type { DeclarationEdit } from '../../core/declarations/source.ts';
import { UserError } from '../../core/errors.ts';
import { counted, firstOf } from '../../core/text/cut.ts';
import { LISTED, withoutLineNumbers } from '../../core/text/lineNumbers.ts';
import { withLf } from '../../core/text/replacements.ts';
import { visible } from '../../core/text/visible.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import { textRequestOf } from '../../services/language/providerEdits.ts';
import { allDeclarations, isAt } from '../../services/language/symbols/allDeclarations.ts';
import { type DeclaredSymbol, declaredSymbol } from '../../services/language/symbols/declaration.ts';
import { noteOnElsewhere, referencesEverywhere } from '../../services/language/symbols/elsewhere.ts';
import { currentPlaces, hitsAt, openPlaces } from '../../services/language/symbols/places.ts';
import { isOfOneFile } from '../../services/language/symbols/styleNames.ts';
import { twinsOf } from '../../services/language/symbols/twins.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import { requireVersion } from '../../workspace/edit/textPlan.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { grouped, noteOnClosed, symbolArguments, titleOf } from '../symbols/shown.ts';
import { defineEditTool, text } from '../tool.ts';

/** The actions, and what is said of each when it is done. */
const DONE: Record<Action, string> = {
  replace: 'Replaced',
  insert_before: 'Inserted before',
  insert_after: 'Inserted after',
  insert_first: 'Inserted first in',
  insert_last: 'Inserted last in',
  delete: 'Deleted',
};

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
    if (withoutLineNumbers(code) !== undefined && !/^\W*\d+\W*$/.test(target.name))
      throw new UserError(`body ${LISTED}. If they belong to the code, use edit_file.`);
    const edit = changedBy(action, found, { body: code, unit: unitIn(found, ctx) });
    const isDelete = action === 'delete';
    const note = isDelete ? await noteOnUses(found, ctx, call.signal) : undefined;
    const noteOnRest = isDelete && (await noteOnDeclarations(edit, found, ctx, call.signal));
    const edits = textEdits(edit, found, ctx);
    const changes = textRequestOf({ location, edits }, ctx.files, found.scope.source.text);
    const file = {
      ...changes,
      plan: (before: string) => changed(before, changes),
      did: () => `${linesOf(edit)} ${isDelete ? 'deleted' : 'new'}`,
    };
    if (dryRun) {
      const [diff, cut] = await previewEdits([file], ctx, call);
      return text(diff, cut, target.namesakes && `Changes ${titleOf(target)}.`, note, noteOnRest);
    }
    const after = await makeEdits({ edits: [file], keepIf }, ctx, call);
    return text([`${DONE[action]} ${titleOf(target)}.`, ...after].join('\n'), note, noteOnRest);
  },
});

/** @throws UserError if the text stays the same */
async function changed(before: string, { plan }: TextRequest): Promise<string> {
  const after = await plan(before);
  if (after === before) throw new UserError('The symbol has this text already: nothing would change.');
  return after;
}

/** One step of indentation: as in the file, otherwise as the user has set. */
function unitIn({ scope, target }: DeclaredSymbol, { vscode }: Context): string {
  const settings = vscode.workspace.getConfiguration('editor', target.document);
  const step = settings.get('insertSpaces', true) ? ' '.repeat(settings.get('tabSize', 4)) : '\t';
  return unitOf(scope.source.text, scope.language) ?? step;
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

/** @throws UserError if the symbol has several declarations or no place for the code */
function changedBy(action: Action, found: DeclaredSymbol, insertion: Insertion): DeclarationEdit {
  const names = found.target.parts?.map(({ path }) => visible(path));
  if (action === 'replace' && names)
    throw new UserError(
      `It has ${names.length} declarations. Pass one of ${names.join(', ')}, or use edit_file.`,
    );
  return planned(action, found, insertion);
}

/** Models put code between fences, as in Markdown. */
const withoutFence = (body: string): string => /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(body)?.[1] ?? body;

/** @throws UserError if there is no code, or it cannot be saved as text */
function codeOf(body = ''): string {
  if (body.trim() === '')
    throw new UserError('body is missing or empty. Pass the whole new code, or use the action "delete".');
  if (body.includes('\0') || !body.isWellFormed())
    throw new UserError('body contains a NUL or half a character, which a text file cannot have.');
  return withoutFence(withLf(body));
}

/** Lines listed that use the symbol. */
const MOST_USES_LISTED = 20;

/**
 * Makes sure that nothing uses a symbol that is deleted.
 *
 * @returns a note if no language server knows of uses
 * @throws UserError with the uses
 */
async function noteOnUses(
  found: DeclaredSymbol,
  ctx: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { providers, files } = ctx;
  const { document } = found.target;
  const { found: all, elsewhere } = await referencesEverywhere(found.target, ctx, signal);
  if (all.length === 0) return `Uses were not checked. ${providers.why('references', document)}`;
  const twins = await twinsOf(found.target, ctx, signal);
  const uses = all.filter(
    (one) =>
      (`${one.uri}` !== `${document.uri}` || !isOwn(one, found)) && !twins.some((twin) => isAt(one, twin)),
  );
  const { open: known, closed } = await openPlaces(uses, files);
  const { current: open } = await currentPlaces(known, found.target, files);
  const note = noteOnElsewhere(elsewhere, found.target);
  if (note && isTypeScript(document.languageId)) throw new UserError(`Nothing was deleted. ${note}`);
  if (note && isOfOneFile(document.languageId))
    throw new UserError(`Nothing was deleted. ${note} Use edit_file to delete it nevertheless.`);
  if (open.length + closed === 0) return note;
  const lines = grouped(await hitsAt(open.slice(0, MOST_USES_LISTED), files));
  const more = open.length > MOST_USES_LISTED ? 'This is not all. Use find_references.' : undefined;
  const count = counted(open.length + closed, 'line uses', 'lines use');
  const heading = `Nothing was deleted: ${count} ${titleOf(found.target)} outside of itself.`;
  throw new UserError([heading, ...lines, more, noteOnClosed(closed)].filter(Boolean).join('\n'), {
    lines: true,
  });
}

/** A note on declarations that stay, such as the prototype of a function in C. */
async function noteOnDeclarations(
  { first, last }: DeclarationEdit,
  { target }: DeclaredSymbol,
  ctx: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { open } = await allDeclarations(target, ctx, signal);
  const left = open.filter(
    (one) => one.location.path !== target.location.path || one.last <= first || one.first > last + 1,
  );
  const named = left.map((one) => `${visible(one.location.path)}:${one.first}`);
  return left.length > 0
    ? `It stays declared on ${counted(left.length, 'other line')}: ${firstOf(named)}.`
    : undefined;
}

/** Whether a reference is in the declaration, or is the name of another overload. */
function isOwn({ range }: vscode.Location, { scope, indexes, siblings, node }: DeclaredSymbol): boolean {
  const { extents, source } = scope;
  const at = source.offsetAt(range.start);
  for (const own of indexes.map((index) => extents[index])) {
    if (own?.isAlone && source.startOf(own.lead) <= at && at <= source.endOf(own.last)) return true;
    if (own && own.from <= at && at < own.to) return true;
  }
  return siblings.some(({ label, name }) => label === node.label && name === at);
}
