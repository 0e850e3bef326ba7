/** Declarations that are one symbol: the language server tells each by itself. */
import type * as vscode from 'vscode';
import type { Addressed } from '../../../core/symbolPaths.ts';
import { isTypeScript } from '../reports.ts';
import type { FileSymbol, Outline } from './outline.ts';

const FUNCTIONS = new Set(['function', 'method', 'constructor']);
/** Declarations of one name in one scope are merged (TypeScript handbook, "Declaration Merging"). */
const MERGED = new Set(['interface', 'class', 'namespace', 'module', 'enum']);
const ACCESSOR = /^\(([gs]et)\) /;

/** White space and comments. */
const NOTHING = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*$/;

/** Whether symbols of one name, in text order, are one: overloads, a pair of accessors, merged declarations. Known of TypeScript only. */
export function isOne(found: readonly (Addressed<FileSymbol> & { outline: Outline })[]): boolean {
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
  return (
    kinds.size === 1 && FUNCTIONS.has(first.symbol.kind) && areOverloads(symbols, first.outline.document)
  );
}

const outerOf = ({ levels }: Addressed<FileSymbol>): string =>
  levels
    .slice(0, -1)
    .map(({ name, index }) => `${name}[${index}]`)
    .join('/');

/** One after another, and only the last has a body: a static and another method may have one name. */
function areOverloads(symbols: readonly FileSymbol[], document: vscode.TextDocument): boolean {
  const lines = document.getText().split(/\r?\n/);
  const textOf = (from: number, to: number) => lines.slice(from - 1, to).join('\n');
  return symbols.slice(1).every((symbol, index) => {
    const before = symbols[index];
    if (!before) return false;
    const between = textOf(before.endLine + 1, (symbol.startLine ?? symbol.line) - 1);
    const hasBody = /\}\s*$/.test(textOf(before.endLine, before.endLine));
    return !hasBody && NOTHING.test(between);
  });
}
