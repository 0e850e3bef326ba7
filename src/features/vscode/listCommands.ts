import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';
import { fitting } from '../../core/text/fitting.ts';
import * as args from '../arguments.ts';
import { defineReadTool, text } from '../tool.ts';
import { type KnownCommand, knownCommands } from './knownCommands.ts';

const MOST_LISTED = 100;

/** Lists what execute_command executes. */
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
