import type { Domain } from '../features.ts';
import { applyCodeAction } from './applyCodeAction.ts';
import { formatFile } from './formatFile.ts';
import { listCodeActions } from './listCodeActions.ts';
import { renameSymbol } from './renameSymbol.ts';

/** Edits that language servers make. */
export const refactor: Domain = { tools: [renameSymbol, listCodeActions, applyCodeAction, formatFile] };
