import type * as vscode from 'vscode';
import * as z from 'zod';
import { fieldsOf, itemsOf } from '../../core/json.ts';
import { refusedCommand } from '../../core/refusedCommands.ts';
import { fitting, visible } from '../../core/text/shown.ts';
import { withDeadline } from '../../util/clock.ts';
import * as args from '../arguments.ts';
import { defineReadTool, text } from '../tool.ts';

const MOST_LISTED = 100;

export const listCommands = defineReadTool({
  name: 'list_commands',
  title: 'List commands',
  description: 'Lists commands of VS Code and extensions. Call it before execute_command.',
  group: 'vscode',
  input: z.strictObject({ query: z.string().optional() }),
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
