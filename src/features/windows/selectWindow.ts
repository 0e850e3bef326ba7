import * as z from 'zod';
import { SELECT_WINDOW, windowsAnswer } from '../../core/windowTools.ts';
import { data, defineTool } from '../tool.ts';

export const folders = z.array(
  z.object({ name: z.string(), path: z.string().describe('Absolute path, or a URI') }),
);

const output = z.object({
  windows: z
    .array(
      z.object({
        id: z.string(),
        folders,
        editor: z.string().describe('Name and version'),
        trusted: z.boolean().describe('False: agents may only read'),
        current: z.literal(true).optional().describe('The window of this session'),
      }),
    )
    .optional()
    .describe('Last used first'),
  window: z.string().optional(),
  folders: folders.optional(),
});

/** The windows that an agent can work in. The shim moves the session when it sees the answer with one. */
export const selectWindow = defineTool({
  ...SELECT_WINDOW,
  title: 'Select VS Code window',
  description:
    'Lists the open VS Code windows and their folders, or switches this session to one: paths mean its files then. Use it if the user means a project that is not here.',
  operation: 'read',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    window: z.string().min(1).optional().describe('Id; without it the windows are listed'),
  }),
  output,
  run: async ({ window }, { windows }) => data(...windowsAnswer(await windows.list(), window)),
});
