/** Code that replaces a symbol, or is inserted at one. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { unitOf } from '../../core/declarations/indentation.ts';
import { type Insertion, insertedBeside } from '../../core/declarations/insert.ts';
import { insertedInside } from '../../core/declarations/insertInside.ts';
import { replaced } from '../../core/declarations/replace.ts';
import type { DeclarationEdit } from '../../core/declarations/source.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withLf } from '../../core/text/replacements.ts';
import { plannedEdit } from '../../services/language/providerEdits.ts';
import type { Candidate } from '../../services/language/symbols/candidates.ts';
import { type DeclaredSymbol, declaredSymbol } from '../../services/language/symbols/declaration.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import { requireVersion } from '../../workspace/edit/plannedEdit.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { symbolArguments, titleOf } from '../symbols/shown.ts';
import { defineEditTool, type ToolCall, text } from '../tool.ts';

const body = z.string().min(1).describe('Any indentation');

export const declarationArguments = {
  ...symbolArguments,
  dryRun,
  keepIf,
  expectedVersion: z.int().min(1).optional(),
};

type DeclarationArguments = z.output<z.ZodObject<typeof declarationArguments>>;

export const replaceSymbol = defineEditTool({
  name: 'replace_symbol',
  title: 'Replace symbol in VS Code',
  description:
    'Replaces a whole function, class or other symbol; the user approves it. Use it to rewrite one: it needs no old text. Comments and decorators above stay unless body begins with some.',
  group: 'language',
  input: z.strictObject({ body, ...declarationArguments }),
  run: ({ body, ...wanted }, ctx, call) =>
    editDeclaration(wanted, ctx, call, ({ scope, index, target }, unit) => {
      if (target.parts) throw severalDeclarations(target.parts);
      const edit = replaced(scope, index, insertionOf(body, unit));
      return { edit, done: 'Replaced', lines: 'new' };
    }),
});

const severalDeclarations = (parts: readonly Candidate[]): UserError =>
  new UserError(
    `It has ${parts.length} declarations. Pass one of ${parts.map(({ path }) => visible(path)).join(', ')}, or use edit_file.`,
  );

const DONE = {
  before: 'Inserted before',
  after: 'Inserted after',
  first: 'Inserted first in',
  last: 'Inserted last in',
};

export const insertAtSymbol = defineEditTool({
  name: 'insert_at_symbol',
  title: 'Insert at symbol in VS Code',
  description:
    'Inserts code beside or inside a symbol, with indentation, blank lines and commas as there; the user approves it. Use it to add a function or member.',
  group: 'language',
  input: z.strictObject({
    position: z.enum(['before', 'after', 'first', 'last']).describe('first, last: inside'),
    body,
    ...declarationArguments,
  }),
  run: ({ position, body, ...wanted }, ctx, call) =>
    editDeclaration(wanted, ctx, call, ({ scope, indexes, siblings }, unit) => {
      const index = (position === 'before' ? indexes[0] : indexes.at(-1)) ?? 0;
      const insertion = insertionOf(body, unit);
      const edit =
        position === 'before' || position === 'after'
          ? insertedBeside(scope, index, position, insertion)
          : insertedInside(scope, index, siblings[index]?.children ?? [], position, insertion);
      return { edit, done: DONE[position], lines: 'new' };
    }),
});

/** Models put code between fences, as in Markdown. */
const withoutFence = (body: string): string => /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(body)?.[1] ?? body;

/** @throws UserError if the code cannot be saved as text */
function insertionOf(body: string, unit: string): Insertion {
  if (body.trim() === '') throw new UserError('body is empty. Use delete_symbol to delete a symbol.');
  if (body.includes('\0') || !body.isWellFormed())
    throw new UserError('body contains a NUL or half a character, which a text file cannot have.');
  return { body: withoutFence(withLf(body)), unit };
}

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

function textEdits({ edits }: DeclarationEdit, { scope: { source } }: DeclaredSymbol, { vscode }: Context) {
  return edits.map(({ from, to, text }) => {
    const [start, end] = [source.positionAt(from), source.positionAt(to)];
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    return { range, newText: text };
  });
}

const linesOf = ({ first, last }: DeclarationEdit): string =>
  first === last ? `line ${first + 1}` : `lines ${first + 1}-${last + 1}`;
