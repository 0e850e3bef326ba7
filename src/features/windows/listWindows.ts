import * as z from 'zod';
import { LIST_WINDOWS, listedWindows, SELECT_WINDOW, selectedWindow } from '../../core/windowTools.ts';
import { data, defineReadTool, defineTool } from '../tool.ts';

export const folders = z.array(
  z.object({ name: z.string(), path: z.string().describe('Absolute path, or a URI') }),
);

const output = z.object({
  windows: z
    .array(
      z.object({
        id: z.string().describe('For select_window'),
        folders,
        editor: z.string().describe('Name and version'),
        trusted: z.boolean().describe('False: agents may only read'),
        current: z.literal(true).optional().describe('The window of this session'),
      }),
    )
    .describe('Last used first'),
});

export const listWindows = defineReadTool({
  ...LIST_WINDOWS,
  title: 'VS Code windows',
  description:
    'Lists the open VS Code windows and their folders, the last used first. Call it if the user means a project that is not here.',
  input: z.strictObject({}),
  output,
  run: async (_args, { windows }) => data(...listedWindows(await windows.list())),
});

/** The shim moves the session when it sees this answer. */
export const selectWindow = defineTool({
  ...SELECT_WINDOW,
  title: 'Select VS Code window',
  description:
    'Moves this session, with all its tools, to another VS Code window. Use it only if the user means another project.',
  operation: 'read',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ window: z.string().min(1).describe('Id from list_windows') }),
  output: z.object({ window: z.string(), folders }),
  run: async ({ window }, { windows }) => data(...selectedWindow(await windows.list(), window)),
});
