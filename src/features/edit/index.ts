import type { Domain } from '../features.ts';
import { editFile } from './editFile.ts';

/** Changing files. */
export const edit: Domain = { tools: [editFile] };
