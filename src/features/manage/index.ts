import type { Domain } from '../features.ts';
import { deletePath, movePath } from './paths.ts';
import { saveFiles } from './saveFiles.ts';
import { undoEdit } from './undoEdit.ts';
import { writeFile } from './writeFile.ts';

/** Creating, moving, copying and deleting files, taking edits back, and saving. */
export const manage: Domain = {
  tools: [writeFile, movePath, deletePath, undoEdit, saveFiles],
};
