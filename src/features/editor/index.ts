import type { Domain } from '../features.ts';
import { askUser } from './askUser.ts';
import { activeEditor, getEditorState, openEditors } from './editorState.ts';
import { openFile } from './openFile.ts';

export const editor: Domain = {
  tools: [askUser, getEditorState, openFile],
  resources: [activeEditor, openEditors],
};
