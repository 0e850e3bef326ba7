import type * as vscode from 'vscode';
import { fieldsOf, itemsOf } from '../../core/json.ts';
import { refusedCommand } from '../../core/refusedCommands.ts';
import { withDeadline } from '../../util/deadline.ts';

/** A command of VS Code or of an extension. */
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
