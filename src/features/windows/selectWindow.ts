import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { data, defineTool } from '../tool.ts';
import { folders, foldersInWords, windowInWords } from './windowText.ts';

const output = z.object({ window: z.string().describe('Id of the window'), folders });

/** Moves the session. It is the shim that does it, when it sees this answer: all that is done here is to look. */
export const selectWindow = defineTool({
  name: 'select_window',
  title: 'Select window',
  description:
    'Moves this session to another open VS Code window: from then on all tools, resources and prompts are of that window and its folders. Only when the person means a project that this window does not have. list_windows tells the ids.',
  group: 'context',
  operation: 'read',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ window: z.string().min(1).describe('Id of the window, from list_windows') }),
  output,
  async run({ window }, { windows }) {
    const open = await windows.list();
    const selected = open.find(({ id }) => id === window);
    if (!selected) {
      const lines = ['These are open:', ...open.map(windowInWords)];
      throw new UserError(`No window with the id "${visible(window)}" is open. ${lines.join('\n')}`, {
        lines: true,
      });
    }
    const result: z.output<typeof output> = { window, folders: [...selected.folders] };
    return data(result, `This session goes on in window ${window} (folders: ${foldersInWords(selected)}).`);
  },
});
