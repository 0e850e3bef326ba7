import type { Domain } from '../features.ts';
import { applyPatch } from './applyPatch.ts';
import { editFile } from './editFile.ts';
import { editNotebook } from './editNotebook.ts';
import { proposeEdit } from './proposeEdit.ts';
import { replaceInFiles } from './replaceInFiles.ts';

export const edit: Domain = { tools: [applyPatch, editFile, editNotebook, proposeEdit, replaceInFiles] };
