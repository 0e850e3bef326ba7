import type { Domain } from '../features.ts';
import { activeEditor } from './activeEditor.ts';
import { getEditorState } from './getEditorState.ts';
import { openEditors } from './openEditors.ts';
import { openFile } from './openFile.ts';

/** The editors and tabs. */
export const editor: Domain = { tools: [getEditorState, openFile], resources: [activeEditor, openEditors] };
