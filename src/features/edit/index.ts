import type { Domain } from '../features.ts';
import { applyPatch } from './applyPatch.ts';
import { editFile } from './editFile.ts';
import { replaceInFiles } from './replaceInFiles.ts';

/** Changing files. */
export const edit: Domain = { tools: [applyPatch, editFile, replaceInFiles] };
