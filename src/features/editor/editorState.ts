import type * as vscode from 'vscode';
import * as z from 'zod';
import { firstOfAll, fitting } from '../../core/text/cut.ts';
import type { Context } from '../context.ts';
import { editorResource } from '../editorResource.ts';
import { data, defineReadTool } from '../tool.ts';
import {
  type EditorState,
  editorState,
  inWords,
  isShownIn,
  readActive,
  readGroups,
} from './readEditorState.ts';

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

export const activeEditor = editorResource({
  name: 'active-editor',
  all: {
    title: 'Active editor',
    description: 'The active file, the cursor and the selected text: `active` of get_editor_state.',
    priority: 1,
    read: readActive,
  },

  follow({ vscode, files }, { all }) {
    const { window, workspace } = vscode;
    const ofEditor = ({ textEditor }: { textEditor: vscode.TextEditor }) => {
      if (files.mayKnow(textEditor.document.uri)) all();
    };
    return vscode.Disposable.from(
      window.onDidChangeActiveTextEditor(all),
      ...onTabs({ vscode, files }, all),
      window.onDidChangeTextEditorSelection(ofEditor),
      window.onDidChangeTextEditorVisibleRanges(ofEditor),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const isShown = window.activeTextEditor?.document === document;
        if (isShown && contentChanges.length > 0 && files.mayKnow(document.uri)) all();
      }),
    );
  },
});

export const openEditors = editorResource({
  name: 'open-editors',
  all: {
    title: 'Open editors',
    description: 'All open tabs, with unsaved ones marked: `groups` of get_editor_state.',
    priority: 0.8,
    read: readGroups,
  },

  follow: (ctx, { all }) => ctx.vscode.Disposable.from(...onTabs(ctx, all)),
});

const onTabs = ({ vscode: { window }, files }: Pick<Context, 'vscode' | 'files'>, changed: () => void) => [
  window.tabGroups.onDidChangeTabs((tabs) => {
    if (isShownIn(tabs, files)) changed();
  }),
  window.tabGroups.onDidChangeTabGroups(changed),
];
