import * as z from 'zod';
import { data, defineTool, LOOKS_ONLY } from '../tool.ts';
import { editorState, inWords } from './editorState.ts';
import { readActive, readGroups } from './readEditorState.ts';

/** What the person looks at. */
export const getEditorState = defineTool({
  name: 'get_editor_state',
  title: 'Editor state',
  description:
    'Tells what the person looks at: the file in front, the cursor, the selected text, the visible lines, and all open tabs. Ask it where they say "this", "here" or "the selection". Lines and columns are 1-based.',
  group: 'context',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({}),
  output: editorState,
  async run(_args, ctx) {
    const result = { ...(await readActive(ctx)), ...(await readGroups(ctx)) };
    return data(result, inWords(result));
  },
});
