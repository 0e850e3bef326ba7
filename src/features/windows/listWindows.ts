import * as z from 'zod';
import { LIST_WINDOWS, listedWindows } from '../../core/windowTools.ts';
import { data, defineTool, LOOKS_ONLY } from '../tool.ts';
import { folders } from './folders.ts';

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

/** The windows that an agent can work in. */
export const listWindows = defineTool({
  ...LIST_WINDOWS,
  title: 'VS Code windows',
  description:
    'Lists the open VS Code windows and their folders, the last used first. Call it if the user means a project that is not here.',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({}),
  output,
  run: async (_args, { windows }) => data(...listedWindows(await windows.list())),
});
