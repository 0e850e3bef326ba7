import type { Domain } from '../features.ts';
import { findFiles } from './findFiles.ts';
import { listDirectory } from './listDirectory.ts';
import { readFile } from './readFile.ts';
import { searchText } from './searchText.ts';
import { workspaceFiles } from './workspaceFiles.ts';

export const files: Domain = {
  tools: [readFile, listDirectory, findFiles, searchText],
  resources: [workspaceFiles],
};
