import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';
import { fitting } from '../../core/text/fitting.ts';
import * as args from '../arguments.ts';
import { defineTool, LOOKS_ONLY, text } from '../tool.ts';
import { type KnownTask, knownTasks } from './knownTasks.ts';

/** Lists the tasks that run_task runs. */
export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'Lists the tasks of VS Code with what each runs: of tasks.json, and those that extensions find, such as scripts of package.json. Call it before run_task.',
  group: 'run',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    query: z.string().optional(),
  }),
  async run({ query = '' }, ctx) {
    const all = await knownTasks(ctx);
    const found = all
      .filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
      .map((one) => ctx.files.redactor.text(lineOf(one)))
      .sort();
    if (found.length === 0)
      return text(
        all.length === 0
          ? 'This window has no tasks. Use run_command.'
          : `No task has "${query}" in its name; there are ${all.length}.`,
      );
    const shown = fitting(found, args.DEFAULT_CHARACTERS, ({ length }) => length + 1);
    const rest = found.length - shown;
    return text(found.slice(0, shown).join('\n'), rest > 0 ? `${rest} more tasks; pass a query.` : undefined);
  },
});

function lineOf({ name, folder, runs, task: { detail, group, isBackground } }: KnownTask): string {
  const facts = [folder && `folder ${folder}`, group?.id, isBackground && 'background', detail].filter(
    Boolean,
  );
  return visible(`${name}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}: ${runs}`).replaceAll('\n', ' ');
}
