import * as z from 'zod';
import { firstOfAll, fitting } from '../../core/text/fitting.ts';
import { data, defineReadTool } from '../tool.ts';
import { type EditorState, editorState, inWords, readActive, readGroups } from './readEditorState.ts';

/** The active editor and the tabs. */
export const getEditorState = defineReadTool({
  name: 'get_editor_state',
  title: 'VS Code editor state',
  description:
    'Gets the active file, cursor, selected text, visible lines and open tabs in VS Code. Call it when the user says "this", "here" or "the selection".',
  group: 'context',
  hints: { alwaysLoad: true },
  input: z.strictObject({}),
  output: editorState,
  async run(_args, ctx) {
    const result = { ...(await readActive(ctx)), ...fewer((await readGroups(ctx)).groups) };
    return data(result, inWords(result));
  },
});

/** Most UTF-16 units of JSON for the tabs. The selected text may take about as much. */
const MOST_TABS = 10_000;

/** The first tabs that fit, if there are too many. */
function fewer(groups: EditorState['groups']): Pick<EditorState, 'groups' | 'tabsLeftOut'> {
  const lists = groups.map(({ tabs }) => tabs);
  const all = lists.flat();
  const count = fitting(all, MOST_TABS, (tab) => JSON.stringify(tab).length + 1);
  const shown = firstOfAll(lists, count);
  return {
    ...(count < all.length && { tabsLeftOut: all.length - count }),
    groups: groups.map((group, index) => ({ ...group, tabs: shown[index] ?? [] })),
  };
}
