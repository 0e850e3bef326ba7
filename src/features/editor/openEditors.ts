import { editorResource } from '../editorResource.ts';
import { isTold, readGroups } from './readEditorState.ts';

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
