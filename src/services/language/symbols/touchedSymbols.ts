import { type Candidate, candidatesIn } from './candidates.ts';
import type { FileSymbol, Outline } from './outline.ts';

/** Kinds whose members are symbols of their own; of a function, the local names are not. */
const SPACES = new Set(['file', 'module', 'namespace', 'package']);
const TYPES = new Set(['class', 'interface', 'enum', 'struct', 'object']);
/** Of JSON and Markdown, for example. */
const DATA = new Set(['string', 'number', 'boolean', 'array', 'key', 'null']);
/** TypeScript's names of functions without one. */
const UNNAMED = / callback$|^<.*>$/;

/**
 * The innermost named symbols around lines: a line of a method counts for the method, any other line of its class for the class.
 *
 * @param lines 1-based; 7.5 is the gap between two; undefined for all symbols at the top level
 */
export function touchedSymbols(outline: Outline, lines: readonly number[] | undefined): Candidate[] {
  const touched = new Set(lines ? innermost(outline.symbols, lines) : topLevel(outline.symbols));
  return candidatesIn(outline).filter(
    ({ symbol }) => touched.has(symbol) && !DATA.has(symbol.kind) && !UNNAMED.test(symbol.name),
  );
}

/** @param line 1-based */
export const contains = ({ line: named, startLine = named, endLine }: FileSymbol, line: number): boolean =>
  startLine <= line && line <= endLine;

function innermost(symbols: readonly FileSymbol[], lines: readonly number[]): FileSymbol[] {
  return symbols.flatMap((symbol) => {
    const { kind, children = [] } = symbol;
    const inside = lines.filter((line) => contains(symbol, line));
    const isSpace = SPACES.has(kind);
    if (inside.length === 0) return [];
    if (!isSpace && !TYPES.has(kind)) return [symbol];
    const isOwn = inside.some((line) => !children.some((child) => contains(child, line)));
    return [...(isOwn && !isSpace ? [symbol] : []), ...innermost(children, inside)];
  });
}

const topLevel = (symbols: readonly FileSymbol[]): FileSymbol[] =>
  symbols.flatMap((symbol) => (SPACES.has(symbol.kind) ? topLevel(symbol.children ?? []) : [symbol]));
