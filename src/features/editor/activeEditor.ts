import type * as vscode from 'vscode';
import { editorResource } from '../editorResource.ts';
import { isTold, readActive } from './readEditorState.ts';

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
