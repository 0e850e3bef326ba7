import type { Features } from './define.ts';
import { snippets } from './prompts/snippets.ts';
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
  resources: [workspaceFiles],
  prompts: [snippets],
};
