import type { Domain } from '../features.ts';
import { applyCodeAction } from './applyCodeAction.ts';
import { deleteSymbol } from './deleteSymbol.ts';
import { formatFile } from './formatFile.ts';
import { listCodeActions } from './listCodeActions.ts';
import { renameSymbol } from './renameSymbol.ts';
import { insertAtSymbol, replaceSymbol } from './symbolCode.ts';

export const refactor: Domain = {
  tools: [
    renameSymbol,
    replaceSymbol,
    insertAtSymbol,
    deleteSymbol,
    listCodeActions,
    applyCodeAction,
    formatFile,
  ],
};
