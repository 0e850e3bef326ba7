import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { refusedCommand } from '../../core/refusedCommands.ts';
import { cutText, visible } from '../../core/text/shown.ts';
import { unlessAborted, within } from '../../util/clock.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { noteOnClosed } from '../symbols/shown.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { type KnownCommand, knownCommands } from './listCommands.ts';
import { SPELLING, SpelledResult, unspelled } from './spelling.ts';

/** Any value. Models need types, so the usual ones are named; a list needs one for its items. */
const ARGUMENT = z.unknown().meta({
  anyOf: [
    ...['string', 'number', 'boolean', 'object'].map((type) => ({ type })),
    { type: 'array', items: { type: 'object' } },
  ],
});

export const executeCommand = defineTool({
  name: 'execute_command',
  title: 'Execute command',
  description:
    'Executes a command of VS Code; the user approves it. Use it for what no tool does. Spell Uri {"$uri": path}, Position {"$position": [line, column]}, Range {"$range": [line, column, endLine, endColumn]}.',
  group: 'vscode',
  operation: 'command',
  annotations: STARTS_PROGRAMS,
  input: z.strictObject({
    command: z.string().min(1),
    arguments: z.array(ARGUMENT).default([]),
    wait: args.wait(),
  }),
  async run({ command: id, arguments: given, wait }, ctx, call) {
    const { title, extension } = await allowed(id, ctx);
    // As a text it may be any address.
    if (id.startsWith('vscode.open') && typeof given[0] === 'string') throw new UserError(SPELLING);
    await unspelled(given, ctx);
    await call.approve({
      ...{ kind: 'command', editorCommand: id, subject: title || id, commandLine: id },
      arguments: { extension: extension ?? 'VS Code', ...(given.length > 0 && { arguments: given }) },
    });
    const values = (await unspelled(given, ctx)) as unknown[]; // links and rules may have changed
    const LATE = Symbol();
    const done = ctx.vscode.commands.executeCommand(id, ...values);
    const result = await unlessAborted(within(done, args.waitTime(wait), LATE), call.signal).catch(
      (error) => {
        throw new UserError(`The command failed: ${ctx.files.redactor.text(`${error?.message ?? error}`)}`);
      },
    );
    if (result === LATE)
      return text(`The command ${visible(id)} still runs; it may be asking the user something.`);
    return answerOf(result, ctx);
  },
});

/** @throws UserError if there is no such command, or agents may not execute it */
async function allowed(id: string, { vscode }: Context): Promise<KnownCommand> {
  const known = (await knownCommands(vscode)).get(id);
  const why = known ? known.refused : refusedCommand(id, false);
  if (why) throw new UserError(`Agents may not execute ${id}: ${why}. Ask the user to do it.`);
  if (!known) throw new UserError(`There is no command ${id}. list_commands has those that there are.`);
  return known;
}

async function answerOf(result: unknown, ctx: Context) {
  const spelled = new SpelledResult(ctx);
  const value = await spelled.of(result);
  if (value === undefined && spelled.closed === 0) return text('The command ran, without a result.');
  const json = ctx.files.redactor.json(JSON.stringify(value) ?? 'null');
  const first = cutText(json, args.DEFAULT_CHARACTERS);
  return text(
    first,
    first !== json && `Not the whole JSON, but ${first.length} of ${json.length} characters.`,
    spelled.isCut && 'Deep, long or many values are left out, as "…".',
    noteOnClosed(spelled.closed),
  );
}
