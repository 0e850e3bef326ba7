/** Declarations that are one symbol: the language server tells each by itself. */
import type { Addressed } from '../../../core/symbolPaths.ts';
import type { Files } from '../../../workspace/files.ts';
import { isTypeScript } from '../checkers.ts';
import type { FileSymbol, Outline } from './outline.ts';

const FUNCTIONS = new Set(['function', 'method', 'constructor']);
/** Declarations of one name in one scope are merged (TypeScript handbook, "Declaration Merging"). */
const MERGED = new Set(['interface', 'class', 'namespace', 'module', 'enum']);
const ACCESSOR = /^\(([gs]et)\) /;

/** White space and comments. */
const NOTHING = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*$/;

/** Whether symbols of one name, in text order, are one: overloads, a pair of accessors, merged declarations. Known of TypeScript only. */
export async function isOne(
  found: readonly (Addressed<FileSymbol> & { outline: Outline })[],
  files: Files,
): Promise<boolean> {
  const [first] = found;
  if (!first || !isTypeScript(first.outline.document.languageId)) return false;
  const outer = outerOf(first);
  if (found.some((one) => one.outline !== first.outline || outerOf(one) !== outer)) return false;
  const symbols = found.map(({ symbol }) => symbol);
  const kinds = new Set(symbols.map(({ kind }) => kind));
  const classes = symbols.filter(({ kind }) => kind === 'class').length;
  if (symbols.every(({ kind }) => MERGED.has(kind))) return classes < 2;
  const accessors = symbols.map(({ name }) => ACCESSOR.exec(name)?.[1]);
  if (accessors.every(Boolean)) return new Set(accessors).size === symbols.length;
  return kinds.size === 1 && FUNCTIONS.has(first.symbol.kind) && areOverloads(symbols, first.outline, files);
}

const outerOf = ({ levels }: Addressed<FileSymbol>): string =>
  levels
    .slice(0, -1)
    .map(({ name, index }) => `${name}[${index}]`)
    .join('/');

/** One after another, and only the last has a body: a static and another method may have one name. */
async function areOverloads(
  symbols: readonly FileSymbol[],
  { location }: Outline,
  files: Files,
): Promise<boolean> {
  const startOf = ({ startLine, line }: FileSymbol) => startLine ?? line;
  const pairs = symbols.slice(1).map((symbol, index) => [symbols[index] ?? symbol, symbol] as const);
  const numbers = pairs.flatMap(([before, symbol]) => range(before.endLine - 1, startOf(symbol) - 1));
  const lines = await files.lines(location, [...new Set(numbers)]);
  const textOf = (from: number, to: number) =>
    range(from, to)
      .map((line) => lines.get(line) ?? '')
      .join('\n');
  return pairs.every(([before, symbol]) => {
    const hasBody = /\}\s*$/.test(textOf(before.endLine - 1, before.endLine));
    return !hasBody && NOTHING.test(textOf(before.endLine, startOf(symbol) - 1));
  });
}

/** Numbers from `from`, without `to`. */
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
