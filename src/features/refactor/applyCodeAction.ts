import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import { type Action, codeActions, withProblems } from '../../services/language/codeActions.ts';
import { editsByFile, textRequestOf } from '../../services/language/providerEdits.ts';
import { within } from '../../util/clock.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { defineEditTool, type ToolCall, text } from '../tool.ts';

/** How long to wait for a command, in milliseconds: it may ask the user something. */
const COMMAND_TIME = 30_000;
const MOST_ACTIONS_LISTED = 100;

/** How a place with code actions is named. */
const actionArguments = {
  path: args.path,
  line: args.line.optional().describe('Without it: the whole file'),
  column: z.int().min(1).optional(),
  endLine: args.line.optional(),
  endColumn: z.int().min(1).optional(),
  problem: args.query.min(1).optional().describe('Part of the message of a problem, not line'),
  kind: args.query.optional().describe('Such as "quickfix", "refactor", "fix_all", "organize_imports"'),
};

type ActionPlace = z.output<z.ZodObject<typeof actionArguments>>;

/** Fixes or refactors with the language server, or lists what it offers. */
export const applyCodeAction = defineEditTool({
  name: 'apply_code_action',
  title: 'Apply code action in VS Code',
  description:
    'Applies or lists quick fixes, refactorings and other code actions, in all files they concern; the user approves it. Use it to fix problems, add a missing import or organize imports.',
  group: 'language',
  hints: { search: 'quick fix, refactor, add missing import, organize imports' },
  input: z.strictObject({
    ...actionArguments,
    title: args.query.min(1).optional().describe('Part of its title; needed if several fit'),
    list: z.boolean().default(false).describe('Return only a list of them'),
    dryRun,
    keepIf,
  }),
  onlyLooks: ({ list, dryRun }) => list || dryRun,
  run: ({ title, list, dryRun, keepIf, ...place }, ctx, call) =>
    withActions(place, ctx, call.signal, async (offer) => {
      if (list) return listed(offer, place.line, ctx);
      const action = await resolved(
        theOne(title === undefined && place.problem !== undefined ? fixes(offer) : offer, title, ctx),
        offer,
        ctx,
        call.signal,
      );
      return applied(action, offer.location, { dryRun, keepIf }, ctx, call);
    }),
});

async function applied(
  action: Action,
  { path }: Location,
  { dryRun, keepIf }: { dryRun: boolean; keepIf: 'no_new_errors' | undefined },
  ctx: Context,
  call: ToolCall,
): Promise<CallToolResult> {
  const name = visible(ctx.files.redactor.text(action.title, path));
  const files = action.edit ? await editsByFile(action.edit, `"${name}"`, ctx.files) : [];
  const edits = files.map((one) => textRequestOf(one, ctx.files));
  const command = commandOf(action);
  if (edits.length === 0 && !command) throw new UserError(`"${name}" changes nothing.`);
  const willRun =
    command && `It runs the command ${visible(command.command)}, whose effects are not in the diff.`;
  if (dryRun) {
    const [diff, note] = await previewEdits(edits, ctx, call);
    return text(diff || 'No diff.', note, willRun);
  }
  // One question about the edits and the command.
  const ofCommand = command && { commandLine: command.command, arguments: { ...command.arguments } };
  const asks = {
    intent: { type: 'action' as const, title: name, kind: action.kind },
    ...(ofCommand && { also: 'command' as const, ...ofCommand }),
  };
  if (command) ctx.files.policy.requireOperation('command');
  if (edits.length === 0) await call.approve({ ...asks, kind: 'command', subject: name });
  const lines = edits.length === 0 ? [] : await makeEdits({ edits, keepIf, asks }, ctx, call);
  const ran = command ? [await run(command, ctx)] : [];
  return text([`Applied "${name}".`, ...lines, ...ran].join('\n'));
}

function listed(
  { actions, location, document }: Offer,
  line: number | undefined,
  ctx: Context,
): CallToolResult {
  const place = `${visible(location.path)}${line ? `:${line}` : ''}`;
  if (actions.length === 0)
    return text(`No code actions at ${place}. ${ctx.providers.why('code actions', document)}`);
  const more =
    actions.length > MOST_ACTIONS_LISTED && `${MOST_ACTIONS_LISTED} of ${actions.length}. Pass kind.`;
  return text([place, ...linesOf(actions, location, ctx)].join('\n'), more);
}

const linesOf = (actions: readonly Action[], { path }: Location, { files }: Context): string[] =>
  actions.slice(0, MOST_ACTIONS_LISTED).map(({ title, kind, isPreferred }) => {
    const shown = visible(files.redactor.text(title, path));
    return `  ${kind || 'command'}: ${shown}${isPreferred ? ' (preferred)' : ''}`;
  });

/** Quick fixes come first: the preferred one, if there is one. */
function fixes(offer: Offer): Offer {
  const quick = offer.actions.filter(({ kind }) => /^quickfix\b/.test(kind));
  const preferred = quick.filter(({ isPreferred }) => isPreferred);
  const actions = [preferred.length === 1 ? preferred : quick, offer.actions].find((all) => all.length > 0);
  return { ...offer, actions: actions ?? [] };
}

/** @throws UserError with the titles, unless it is one */
function theOne({ actions, location, document }: Offer, title: string | undefined, ctx: Context): Action {
  const shown = (said: string) => ctx.files.redactor.text(said, location.path);
  const exact = actions.filter((one) => shown(one.title) === title);
  const partly = actions.filter((one) => title === undefined || shown(one.title).includes(title));
  const found = exact.length > 0 ? exact : partly;
  const [one] = found;
  if (one && new Set(found.map((action) => action.title)).size === 1) return one;
  if (actions.length === 0)
    throw new UserError(`No code actions there. ${ctx.providers.why('code actions', document)}`);
  const lines = linesOf(found.length > 0 ? found : actions, location, ctx);
  const what = one ? `${found.length} code actions fit` : `No code action contains "${title}"`;
  throw new UserError(`${what}. Pass the title of one:\n${lines.join('\n')}`, { lines: true });
}

/** An action with its edit, which some servers add only now. */
async function resolved(
  chosen: Action,
  { document, range }: Offer,
  ctx: Context,
  signal: AbortSignal,
): Promise<Action> {
  if (chosen.edit) return chosen;
  const { title, kind } = chosen;
  const same = await codeActions(document, range, { kind: kind || undefined, isResolved: true }, ctx, signal);
  return same.find((one) => one.title === title) ?? chosen;
}

const commandOf = ({ command }: Action): vscode.Command | undefined =>
  command && !isFollowUp(command) ? command : undefined;

/** What TypeScript does after its own edits: telemetry, or asking for a name. Only packages to install are more. */
function isFollowUp({ command, arguments: args = [] }: vscode.Command): boolean {
  if (command === '_typescript.compositeCommand') return args.every(isFollowUp);
  const [first] = args as [{ action?: { commands?: readonly unknown[] } }?];
  const isTypeScripts = /^(_typescript\.(applyCodeActionCommand|did\w+)|editor\.action\.rename)$/.test(
    command,
  );
  return isTypeScripts && !first?.action?.commands?.length;
}

/** Runs a command that the user has approved. */
async function run({ command, arguments: args = [] }: vscode.Command, { vscode }: Context): Promise<string> {
  const LATE = Symbol();
  const done = await within(vscode.commands.executeCommand(command, ...args), COMMAND_TIME, LATE);
  return done === LATE
    ? `The command ${visible(command)} still runs; it may be asking the user something.`
    : `The command ${visible(command)} ran.`;
}

/** A file with the actions that are offered there. */
interface Offer {
  location: Location;
  document: vscode.TextDocument;
  range: vscode.Range;
  actions: readonly Action[];
}

/** Short names of kinds. */
const KINDS: Record<string, string> = {
  fix_all: 'source.fixAll',
  organize_imports: 'source.organizeImports',
};

/** Runs `use` with the actions at a place. @throws UserError if there is no such place; NotFoundError, CancelledError */
async function withActions<T>(
  place: ActionPlace,
  ctx: Context,
  signal: AbortSignal,
  use: (offer: Offer) => Promise<T>,
): Promise<T> {
  const location = await ctx.files.locate(place.path);
  return withProblems(location, ctx, signal, async (document) => {
    const range =
      place.problem === undefined
        ? rangeOf(place, document, location, ctx)
        : ofProblem(place.problem, document, location, ctx);
    const kind = place.kind && (KINDS[place.kind] ?? place.kind);
    const isFile = place.line === undefined && place.problem === undefined;
    // Providers offer actions for a whole file only if they are asked for them.
    const kinds = kind || !isFile ? [kind] : ['source', undefined];
    const found = await Promise.all(
      kinds.map((one) => codeActions(document, range, { kind: one }, ctx, signal)),
    );
    const unique = new Map(found.flat().map((one) => [`${one.kind} ${one.title}`, one]));
    return use({ location, document, range, actions: [...unique.values()] });
  });
}

/** Whole lines, or from a column on. */
function rangeOf(
  { line, column = 1, endLine = line, endColumn }: ActionPlace,
  document: vscode.TextDocument,
  { path }: Location,
  { vscode: { Range } }: Context,
): vscode.Range {
  if (line === undefined || endLine === undefined)
    return document.validateRange(new Range(0, 0, document.lineCount, 0));
  if (endLine > document.lineCount || endLine < line)
    throw new UserError(`${path} has ${document.lineCount} lines; there are no lines ${line} to ${endLine}.`);
  const end = endColumn ?? Number.MAX_SAFE_INTEGER;
  return document.validateRange(new Range(line - 1, column - 1, endLine - 1, end - 1));
}

/** Where the first problem is that says this. Compared as the agent may see it, or it could guess redacted text. */
function ofProblem(
  problem: string,
  { uri }: vscode.TextDocument,
  { path }: Location,
  { vscode, files }: Context,
): vscode.Range {
  const all = vscode.languages.getDiagnostics(uri);
  const found = all.find(({ message }) => files.redactor.text(message, path).includes(problem));
  if (found) return found.range;
  throw new UserError(
    `${path} has no problem that contains "${problem}". Call get_diagnostics for its ${all.length} problems.`,
  );
}
