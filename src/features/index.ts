import type { Features } from './define.ts';
import { snippets } from './prompts/snippets.ts';
import { activeEditor } from './resources/activeEditor.ts';
import { changes } from './resources/changes.ts';
import { openEditors } from './resources/openEditors.ts';
import { problems } from './resources/problems.ts';
import { symbols } from './resources/symbols.ts';
import { tasks } from './resources/tasks.ts';
import { terminals } from './resources/terminals.ts';
import { workspaceFiles } from './resources/workspaceFiles.ts';
import { editFile } from './tools/editFile.ts';
import { findFiles } from './tools/findFiles.ts';
import { getDiagnostics } from './tools/getDiagnostics.ts';
import { getEditorState } from './tools/getEditorState.ts';
import { getWorkspace } from './tools/getWorkspace.ts';
import { listDirectory } from './tools/listDirectory.ts';
import { listWindows } from './tools/listWindows.ts';
import { openFile } from './tools/openFile.ts';
import { readFile } from './tools/readFile.ts';
import { searchText } from './tools/searchText.ts';
import { selectWindow } from './tools/selectWindow.ts';

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
