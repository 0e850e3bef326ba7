import type { Domain } from '../features.ts';
import { deleteSymbol } from './deleteSymbol.ts';
import { insertAtSymbol } from './insertAtSymbol.ts';
import { renameSymbol } from './renameSymbol.ts';
import { replaceSymbol } from './replaceSymbol.ts';

/** Edits of symbols by the language servers. */
export const refactor: Domain = { tools: [renameSymbol, replaceSymbol, insertAtSymbol, deleteSymbol] };
