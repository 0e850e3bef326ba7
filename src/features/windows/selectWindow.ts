import * as z from 'zod';
import { SELECT_WINDOW, selectedWindow } from '../../core/windowTools.ts';
import { data, defineTool } from '../tool.ts';
import { folders } from './folders.ts';

const output = z.object({ window: z.string(), folders });

/** The shim moves the session when it sees this answer. */
export const selectWindow = defineTool({
  ...SELECT_WINDOW,
  title: 'Select VS Code window',
  description:
    'Moves this session, with all its tools, to another VS Code window. Use it only if the user means another project.',
  operation: 'read',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ window: z.string().min(1).describe('Id from list_windows') }),
  output,
  run: async ({ window }, { windows }) => data(...selectedWindow(await windows.list(), window)),
});
