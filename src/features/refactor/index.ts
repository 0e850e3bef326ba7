import type { Domain } from '../features.ts';
import { applyCodeAction } from './applyCodeAction.ts';
import { editSymbol } from './editSymbol.ts';
import { formatFile } from './formatFile.ts';
import { renameSymbol } from './renameSymbol.ts';

/** Edits that language servers make, or that are placed by their symbols. */
export const refactor: Domain = {
  tools: [renameSymbol, editSymbol, applyCodeAction, formatFile],
};
