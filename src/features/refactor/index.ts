import type { Domain } from '../features.ts';
import { renameSymbol } from './renameSymbol.ts';

/** Edits that language servers make. */
export const refactor: Domain = { tools: [renameSymbol] };
