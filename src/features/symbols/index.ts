import type { Domain } from '../features.ts';
import { findCalls } from './findCalls.ts';
import { findDefinition } from './findDefinition.ts';
import { findReferences } from './findReferences.ts';
import { findTypes } from './findTypes.ts';
import { getChangeImpact } from './getChangeImpact.ts';
import { getSymbol } from './getSymbol.ts';
import { listSymbols } from './listSymbols.ts';

export const symbols: Domain = {
  tools: [listSymbols, getSymbol, findDefinition, findReferences, findCalls, findTypes, getChangeImpact],
};
