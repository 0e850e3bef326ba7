import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { editorCommandGrant } from '../../core/grants.ts';
import { fieldsOf, itemsOf } from '../../core/json.ts';
import { refusedCommand } from '../../core/refusedCommands.ts';
import { cutText, fitting } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { unlessAborted, withDeadline, within } from '../../util/clock.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { noteOnClosed } from '../symbols/shown.ts';
import { defineReadTool, defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { SPELLING, SpelledResult, unspelled } from './spelling.ts';

const MOST_LISTED = 100;

export const listCommands = defineReadTool({
  name: 'list_commands',
  title: 'List commands',
  description: 'Lists commands of VS Code. Call it before execute_command.',
  group: 'vscode',
  input: z.strictObject({ query: args.query.optional() }),
  async run({ query = '' }, { vscode, files }) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const known = [...(await knownCommands(vscode)).values()].filter(({ refused }) => !refused);
    const found = known.filter((one) => isMeant(one, words)).map(lineOf);
    if (found.length === 0)
      return text(`No command that agents may execute has "${query}"; there are ${known.length}.`);
    const shown = fitting(found.sort(), args.DEFAULT_CHARACTERS, ({ length }) => length + 1, MOST_LISTED);
    const rest = found.length - shown;
    return text(
      files.redactor.text(found.slice(0, shown).join('\n')),
      rest > 0 && `${rest} more commands; pass more words.`,
    );
  },
});

/** VS Code's own are many: without a query only those of extensions are listed, and those without a title only by their ids. */
function isMeant({ id, title, extension }: KnownCommand, words: readonly string[]): boolean {
  if (words.length === 0) return extension !== undefined;
  const texts = `${title ? `${title} ${extension ?? 'VS Code'} ` : ''}${id}`.toLowerCase();
  return words.every((word) => texts.includes(word));
}

function lineOf({ id, title, extension, keybinding }: KnownCommand): string {
  const facts = [extension ?? (title && 'VS Code'), keybinding].filter(Boolean).join(', ');
  return visible(`${id}${title ? `: ${title}` : ''}${facts ? ` (${facts})` : ''}`);
}

export interface KnownCommand {
  id: string;
  /** As the palette has it, `category: title`; undefined if it is in no palette. */
  title?: string | undefined;
  /** The id of the extension that contributes it. */
  extension?: string | undefined;
  keybinding?: string | undefined;
  /** Why agents may not execute it. */
  refused?: string | undefined;
}

/** All of the window, by id, refused ones too. @throws UserError if VS Code does not answer */
export async function knownCommands({ commands, extensions }: typeof vscode) {
  const [ids, palette] = await withDeadline(
    // Not a documented command: without it VS Code's own have no titles.
    Promise.all([
      commands.getCommands(true),
      commands.executeCommand('_getAllCommands').then(itemsOf, () => []),
    ]),
    'listing commands',
  );
  const known = new Map(ids.map((id): [string, KnownCommand] => [id, { id }]));
  const add = ({ id, ...facts }: KnownCommand) => known.set(id, { ...known.get(id), id, ...facts });
  for (const { id: extension, packageJSON } of extensions.all)
    for (const { command, title, category } of contributed(packageJSON))
      if (typeof command === 'string')
        add({ id: command, extension, title: [category, title].map(textOf).filter(Boolean).join(': ') });
  for (const { command, label, keybinding } of palette.map(fieldsOf))
    if (typeof command === 'string')
      add({
        id: command,
        title: textOf(label),
        ...(keybinding !== 'Not set' && { keybinding: textOf(keybinding) }),
      });
  for (const one of known.values()) one.refused = refusedCommand(one.id, one.extension === undefined);
  return known;
}

/** A manifest may have one command or a list; VS Code has translated its texts. */
function contributed(packageJSON: unknown) {
  const { commands } = fieldsOf(fieldsOf(packageJSON).contributes);
  return (Array.isArray(commands) ? commands : [commands]).map(fieldsOf);
}

/** Translated texts have the original beside them. */
const textOf = (text: unknown): string => (typeof text === 'string' ? text : `${fieldsOf(text).value ?? ''}`);

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
  asksFor: 'command',
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
    const grant = editorCommandGrant({ id, arguments: given });
    await call.approve({
      kind: 'command',
      editorCommand: id,
      subject: title || id,
      commandLine: id,
      ...(grant && { grant }),
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
