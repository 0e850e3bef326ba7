import * as z from 'zod';
import { SELECT_WINDOW, selectedWindow } from '../../core/windowTools.ts';
import { data, defineTool } from '../tool.ts';
import { folders } from './folders.ts';

const output = z.object({ window: z.string().describe('Id of the window'), folders });

/** The shim moves the session when it sees this answer. */
export const selectWindow = defineTool({
  ...SELECT_WINDOW,
  title: 'Select VS Code window',
  description:
    'Moves this session to another open VS Code window: all tools, resources and prompts are of that window from then on. Only if the user means a project that this window does not have.',
  operation: 'read',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ window: z.string().min(1).describe('Id of the window, from list_windows') }),
  output,
  run: async ({ window }, { windows }) => data(...selectedWindow(await windows.list(), window)),
});
