import type { Domain } from '../features.ts';
import { activeEditor } from './activeEditor.ts';
import { askUser } from './askUser.ts';
import { getEditorState } from './getEditorState.ts';
import { openEditors } from './openEditors.ts';
import { openFile } from './openFile.ts';

/** The editors and tabs, and questions to the user. */
export const editor: Domain = {
  tools: [askUser, getEditorState, openFile],
  resources: [activeEditor, openEditors],
};
