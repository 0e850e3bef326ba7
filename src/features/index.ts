import { editFile } from './edit/editFile.ts';
import { activeEditor } from './editor/activeEditor.ts';
import { getEditorState } from './editor/getEditorState.ts';
import { openEditors } from './editor/openEditors.ts';
import { openFile } from './editor/openFile.ts';
import type { Features } from './features.ts';
import { findFiles } from './files/findFiles.ts';
import { listDirectory } from './files/listDirectory.ts';
import { readFile } from './files/readFile.ts';
import { searchText } from './files/searchText.ts';
import { workspaceFiles } from './files/workspaceFiles.ts';
import { changes } from './git/changes.ts';
import { getDiagnostics } from './language/getDiagnostics.ts';
import { problems } from './language/problemsResource.ts';
import { symbols } from './language/symbolsResource.ts';
import { snippets } from './prompts/snippets.ts';
import { tasks } from './run/tasks.ts';
import { terminals } from './run/terminals.ts';
import { getWorkspace } from './windows/getWorkspace.ts';
import { listWindows } from './windows/listWindows.ts';
import { selectWindow } from './windows/selectWindow.ts';

/** Everything that an agent is offered: one line each. */
export const features: Features = {
  tools: [
    getWorkspace,
    getEditorState,
    readFile,
    editFile,
    listDirectory,
    findFiles,
    searchText,
    getDiagnostics,
    openFile,
    listWindows,
    selectWindow,
  ],
  resources: [workspaceFiles, activeEditor, openEditors, problems, symbols, changes, tasks, terminals],
  prompts: [snippets],
};
