import type { Domain } from '../features.ts';
import { applyPatch } from './applyPatch.ts';
import { editFile } from './editFile.ts';

/** Changing files. */
export const edit: Domain = { tools: [applyPatch, editFile] };
