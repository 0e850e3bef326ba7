/** Which of the symbols that a name finds are declarations of one and the same. */

import { ifUserError } from '../../../core/errors.ts';
import { FUNCTIONS, isCode } from '../../../core/kinds.ts';
import { bareName, ownName } from '../../../core/symbolPaths.ts';
import { inParallel } from '../../../util/queues.ts';
import type { Files } from '../../../workspace/files.ts';
import { isTypeScript } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';
import type { Candidate } from './candidates.ts';
import type { FileSymbol, Outline } from './outline.ts';
import { placesAsked } from './places.ts';
import { definitionAmong, symbolAt } from './symbolAt.ts';

/** Without headings and keys beside code, and constructors beside their class. */
export function withoutNamesakes(found: readonly Candidate[]): readonly Candidate[] {
  const inCode = found.filter(({ outline }) => isCode(outline.document.languageId));
  const meant = inCode.length > 0 ? inCode : found;
  const others = meant.filter((one) => !isNamedAsItsClass(one));
  return others.length > 0 ? others : meant;
}

const isNamedAsItsClass = ({ symbol, levels }: Candidate): boolean => {
  const [outer, own] = levels.slice(-2).map(({ name }) => bareName(name));
  return symbol.kind === 'constructor' && outer === own;
};

/** To TypeScript, a function in a variable is a variable, as an object is, which has only members. */
const VALUES = new Set(['variable', 'constant']);
const MEMBERS = new Set(['method', 'property', 'field']);

/** Whether a symbol is declared in a function. */
const isLocal = ({ symbol, depth: own, outline }: Candidate): boolean =>
  outline.all.some(({ symbol: { kind, line, startLine = line, endLine }, depth }) => {
    const isAround = depth < own && startLine <= symbol.line && symbol.line <= endLine;
    return isAround && (FUNCTIONS.has(kind) || (VALUES.has(kind) && !MEMBERS.has(symbol.kind)));
  });

/** Symbols that are not local to a function; all if there are no others. */
export function withoutLocals(found: readonly Candidate[]): readonly Candidate[] {
  const others = found.filter((one) => !isLocal(one));
  return others.length > 0 ? others : found;
}

/** Symbols of one name of which the declarations are asked for, at most. */
const MOST_ASKED = 10;
const AT_ONCE = 4;

/**
 * The symbols in groups of one each, its definition first: a declaration and its definition, a class and a `using` of it. That is
 * what the language server says; TypeScript's are told by their text.
 *
 * @throws CancelledError
 */
export async function groupsOf(
  found: readonly Candidate[],
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Candidate[][]> {
  const asked = found.filter(({ outline }) => !isTypeScript(outline.document.languageId));
  if (asked.length < 2 || asked.length > MOST_ASKED) return found.map((one) => [one]);
  const groupOf = new Map(found.map((one) => [one, new Set([one])]));
  const linked = await inParallel(asked, AT_ONCE, (one) => linkedTo(one, asked, scope, signal));
  for (const [index, others] of linked.entries())
    for (const other of others) {
      const group = new Set(
        [asked[index], other].flatMap((one) => (one ? [...(groupOf.get(one) ?? [])] : [])),
      );
      for (const one of group) groupOf.set(one, group);
    }
  const groups = [...new Set(groupOf.values())].map(async (group) => {
    const declarations = [...group].map((one) => ({
      one,
      symbol: one.symbol,
      location: one.outline.location,
    }));
    const main = (await definitionAmong(declarations, scope.files))?.one;
    return [...group].sort((a, b) => Number(b === main) - Number(a === main));
  });
  return Promise.all(groups);
}

/** Candidates at which the definition of a symbol is. */
async function linkedTo(
  { symbol, outline }: Candidate,
  others: readonly Candidate[],
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const at = new scope.vscode.Position(symbol.line - 1, symbol.column - 1);
  const from = { document: outline.document, position: at };
  const places = await placesAsked('definitions', from, scope, signal).catch(ifUserError([]));
  const name = ownName(symbol.name);
  const linked: Candidate[] = [];
  for (const other of others)
    for (const { uri, range } of places) {
      if (`${uri}` !== `${other.outline.document.uri}`) continue;
      const found = await symbolAt(other.outline, range, name, scope.files);
      if (found?.symbol === other.symbol) linked.push(other);
    }
  return linked;
}

/** Declarations of one name in one scope are merged (TypeScript handbook, "Declaration Merging"). */
const MERGED = new Set(['interface', 'class', 'namespace', 'module', 'enum']);
const ACCESSOR = /^\(([gs]et)\) /;

const NOTHING = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*$/;

/** Whether symbols of one name, in text order, are parts of one: macros, and in TypeScript overloads, accessors, merged declarations. */
export async function areParts(found: readonly Candidate[], files: Files): Promise<boolean> {
  const [first] = found;
  if (!first) return false;
  const outer = outerOf(first);
  if (found.some((one) => one.outline !== first.outline || outerOf(one) !== outer)) return false;
  const symbols = found.map(({ symbol }) => symbol);
  if (symbols.every(({ kind }) => kind === 'macro')) return true;
  if (!isTypeScript(first.outline.document.languageId)) return false;
  const kinds = new Set(symbols.map(({ kind }) => kind));
  const classes = symbols.filter(({ kind }) => kind === 'class').length;
  if (symbols.every(({ kind }) => MERGED.has(kind))) return classes < 2;
  const accessors = symbols.map(({ name }) => ACCESSOR.exec(name)?.[1]);
  if (accessors.every(Boolean)) return new Set(accessors).size === symbols.length;
  return kinds.size === 1 && FUNCTIONS.has(first.symbol.kind) && areOverloads(symbols, first.outline, files);
}

const outerOf = ({ levels }: Candidate): string =>
  levels
    .slice(0, -1)
    .map(({ name, index }) => `${name}[${index}]`)
    .join('/');

/** One after another, and only the last has a body: a static and another method may have one name. */
async function areOverloads(symbols: readonly FileSymbol[], { location }: Outline, files: Files) {
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

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
