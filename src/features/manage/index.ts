import type { Domain } from '../features.ts';
import { copyPath } from './copyPath.ts';
import { createDirectory } from './createDirectory.ts';
import { deletePath } from './deletePath.ts';
import { movePath } from './movePath.ts';
import { undoEdit } from './undoEdit.ts';
import { writeFile } from './writeFile.ts';

/** Creating, moving, copying and deleting files, and taking edits back. */
export const manage: Domain = {
  tools: [writeFile, createDirectory, movePath, copyPath, deletePath, undoEdit],
};
