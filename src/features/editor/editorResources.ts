import type * as vscode from 'vscode';
import { editorResource } from '../editorResource.ts';
import { isTold, readActive, readGroups } from './readEditorState.ts';

/** The active editor and its selections. */
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
      if (files.mayTellOf(textEditor.document.uri)) all();
    };
    return vscode.Disposable.from(
      window.onDidChangeActiveTextEditor(all),
      window.tabGroups.onDidChangeTabs((tabs) => {
        if (isTold(tabs, files)) all();
      }),
      window.tabGroups.onDidChangeTabGroups(all),
      window.onDidChangeTextEditorSelection(ofEditor),
      window.onDidChangeTextEditorVisibleRanges(ofEditor),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const isShown = window.activeTextEditor?.document === document;
        if (isShown && contentChanges.length > 0 && files.mayTellOf(document.uri)) all();
      }),
    );
  },
});

/** The user's tabs. */
export const openEditors = editorResource({
  name: 'open-editors',
  all: {
    title: 'Open editors',
    description: 'All open tabs, with unsaved ones marked: `groups` of get_editor_state.',
    priority: 0.8,
    read: readGroups,
  },

  follow({ vscode, files }, { all }) {
    const { tabGroups } = vscode.window;
    return vscode.Disposable.from(
      tabGroups.onDidChangeTabs((tabs) => {
        if (isTold(tabs, files)) all();
      }),
      tabGroups.onDidChangeTabGroups(all),
    );
  },
});
