import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';

const selectionSchema = z.object({
  line: z.number(),
  column: z.number(),
  endLine: z.number().optional().describe('If on several lines'),
  endColumn: z.number(),
  text: z.string(),
  length: z.number().optional().describe('Of the whole text, if text is only its beginning'),
});

const tabSchema = z.object({
  path: z.string(),
  front: z.literal(true).optional().describe('The visible tab of its group'),
  unsaved: z.literal(true).optional(),
  pinned: z.literal(true).optional(),
  preview: z.literal(true).optional().describe('The next opened file replaces it'),
});

/** The result of `get_editor_state`. */
export const editorState = z.object({
  active: z
    .object({
      path: z.string(),
      unsaved: z.boolean(),
      language: z
        .string()
        .optional()
        .describe('Language id of VS Code; this and the rest only in a text editor'),
      line: z.number().optional().describe('Of the cursor'),
      column: z.number().optional(),
      visible: z.array(z.object({ startLine: z.number(), endLine: z.number() })).optional(),
      selections: z
        .array(selectionSchema)
        .optional()
        .describe('Selected ranges; empty if there is only a cursor'),
      leftOut: z.number().optional().describe('Selections past the first ones'),
    })
    .optional()
    .describe('The active editor'),
  tabsLeftOut: z.number().optional(),
  groups: z.array(
    z.object({ active: z.literal(true).optional(), tabs: z.array(tabSchema) }).describe('Tabs side by side'),
  ),
});

export type EditorState = z.output<typeof editorState>;

/** The same facts as terse text. */
export function inWords({ active, groups, tabsLeftOut }: EditorState): string {
  const tabs = groups.map(({ tabs }, index) => {
    const names = tabs.map(({ path, ...flags }) => [visible(path), ...Object.keys(flags)].join(' '));
    return `Tabs${groups.length > 1 ? ` of group ${index + 1}` : ''}: ${names.join(', ')}`;
  });
  const more = tabsLeftOut ? [`${tabsLeftOut} more tabs`] : [];
  return [...activeInWords(active), ...(tabs.length > 0 ? tabs : ['Tabs: none']), ...more].join('\n');
}

function activeInWords(active: EditorState['active']): string[] {
  if (!active) return ['Active file: none'];
  const { language, unsaved, line, column, selections = [], leftOut } = active;
  const path = visible(active.path);
  if (language === undefined)
    return [`Active file: ${path} (not shown as text${unsaved ? ', unsaved' : ''})`];
  const lines = (active.visible ?? []).map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(', ');
  return [
    `Active file: ${path} (${language}${unsaved ? ', unsaved' : ''}), cursor ${line}:${column}, lines ${lines || 'none'} visible`,
    ...selections.map(({ line, column, endLine = line, endColumn, text, length }) => {
      const cut = length === undefined ? '' : ` (the first ${text.length} of ${length} characters)`;
      return `Selected ${line}:${column} to ${endLine}:${endColumn}${cut}:\n${text}`;
    }),
    ...(leftOut ? [`${leftOut} more selections`] : []),
  ];
}
