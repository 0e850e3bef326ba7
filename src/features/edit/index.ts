import type { Domain } from '../features.ts';
import { editFile } from './editFile.ts';
import { undoEdit } from './undoEdit.ts';

/** Changing files. */
export const edit: Domain = { tools: [editFile, undoEdit] };
