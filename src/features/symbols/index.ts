import type { Domain } from '../features.ts';
import { findCalls, findTypes } from './findHierarchy.ts';
import { findDefinition, findReferences } from './findPlaces.ts';
import { getChangeImpact } from './getChangeImpact.ts';
import { getSymbol } from './getSymbol.ts';
import { listSymbols } from './listSymbols.ts';

export const symbols: Domain = {
  tools: [listSymbols, getSymbol, findDefinition, findReferences, findCalls, findTypes, getChangeImpact],
};
