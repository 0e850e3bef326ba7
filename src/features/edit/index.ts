import type { Domain } from '../features.ts';
import { editFile } from './editFile.ts';
import { editNotebook } from './editNotebook.ts';
import { proposeEdit } from './proposeEdit.ts';

/** Changing files. */
export const edit: Domain = { tools: [editFile, editNotebook, proposeEdit] };
