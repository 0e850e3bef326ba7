import type { Domain } from '../features.ts';
import { askUser } from './askUser.ts';
import { activeEditor, getEditorState, openEditors } from './editorState.ts';
import { openFile } from './openFile.ts';

/** The editors and tabs, and questions to the user. */
export const editor: Domain = {
  tools: [askUser, getEditorState, openFile],
  resources: [activeEditor, openEditors],
};
