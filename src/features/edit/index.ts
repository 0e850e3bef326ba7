import type { Domain } from '../features.ts';
import { applyPatch } from './applyPatch.ts';
import { editFile, proposeEdit } from './editFile.ts';
import { editNotebook } from './editNotebook.ts';
import { replaceInFiles } from './replaceInFiles.ts';

export const edit: Domain = { tools: [applyPatch, editFile, editNotebook, proposeEdit, replaceInFiles] };
