import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { type Action, codeActions } from '../../services/language/codeActions.ts';
import { editsByFile, plannedEdit } from '../../services/language/providerEdits.ts';
import { within } from '../../util/deadline.ts';
import type { Context } from '../context.ts';
import { dryRun, keepIf, makeEdits, previewEdits } from '../edit/makeEdits.ts';
import { defineEditTool, text } from '../tool.ts';
import { actionArguments, lineOf, type Offer, withActions } from './listCodeActions.ts';

/** How long to wait for a command, in milliseconds: it may ask the user something. */
const COMMAND_TIME = 30_000;
const MOST_ACTIONS_LISTED = 20;

export const applyCodeAction = defineEditTool({
  name: 'apply_code_action',
  title: 'Apply code action in VS Code',
  description:
    'Applies a quick fix, refactoring or other code action, in all files it concerns; the user approves it. Use it to fix problems, fix all of a file, or organize imports.',
  group: 'language',
  hints: { search: 'quick fix, refactor, organize imports' },
  input: z.strictObject({
    ...actionArguments,
    title: z.string().min(1).optional().describe('Or part of it; unless there is one only'),
    dryRun,
    keepIf,
  }),
  run: ({ title, dryRun, keepIf, ...place }, ctx, call) =>
    withActions(place, ctx, call.signal, async (offer) => {
      const action = await resolved(theOne(offer, title, ctx), offer, ctx, call.signal);
      const name = visible(ctx.files.redactor.text(action.title, offer.location.path));
      const files = action.edit ? await editsByFile(action.edit, `"${name}"`, ctx.files) : [];
      const edits = files.map((one) => plannedEdit(one, ctx.files));
      const command = commandOf(action);
      if (edits.length === 0 && !command) throw new UserError(`"${name}" changes nothing.`);
      const willRun =
        command && `It runs the command ${visible(command.command)}, whose effects are not in the diff.`;
      if (dryRun) {
        const [diff, note] = await previewEdits(edits, ctx, call);
        return text(diff || 'No diff.', note, willRun);
      }
      const did = (index: number) => counted(files[index]?.edits.length ?? 0, 'replacement');
      // One question about the edits and the command.
      const ofCommand = command && { commandLine: command.command, arguments: { ...command.arguments } };
      const asks = {
        intent: { type: 'action' as const, title: name, kind: action.kind },
        ...(ofCommand && { also: 'command' as const, ...ofCommand }),
      };
      if (command) ctx.files.policy.requireOperation('command');
      if (edits.length === 0) await call.approve({ ...asks, kind: 'command', subject: name });
      const lines = edits.length === 0 ? [] : await makeEdits(edits, { keepIf, did, asks }, ctx, call);
      const ran = command ? [await run(command, ctx)] : [];
      return text([`Applied "${name}".`, ...lines, ...ran].join('\n'));
    }),
});

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
  const listed = (found.length > 0 ? found : actions)
    .slice(0, MOST_ACTIONS_LISTED)
    .map((action) => lineOf(action, shown));
  const what = one ? `${found.length} code actions fit` : `No code action contains "${title}"`;
  throw new UserError(`${what}. Pass the title of one:\n${listed.join('\n')}`, { lines: true });
}

async function resolved(chosen: Action, { document, range }: Offer, ctx: Context, signal: AbortSignal) {
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

async function run({ command, arguments: args = [] }: vscode.Command, { vscode }: Context): Promise<string> {
  const LATE = Symbol();
  const done = await within(vscode.commands.executeCommand(command, ...args), COMMAND_TIME, LATE);
  return done === LATE
    ? `The command ${visible(command)} still runs; it may be asking the user something.`
    : `The command ${visible(command)} ran.`;
}
