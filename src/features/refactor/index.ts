import type { Domain } from '../features.ts';
import { applyCodeAction } from './applyCodeAction.ts';
import { editSymbol } from './editSymbol.ts';
import { formatFile } from './formatFile.ts';
import { renameSymbol } from './renameSymbol.ts';

export const refactor: Domain = {
  tools: [renameSymbol, editSymbol, applyCodeAction, formatFile],
};
