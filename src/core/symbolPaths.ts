/** Symbols by name path: `Class/method`, from the outside to the inside. */
import { likeness, pairsOf } from './text/nearestLines.ts';

interface Level {
  name: string;
  /** Among siblings of the same name: the first is 1. */
  index: number;
  /** The name, with the index if there are several. */
  label: string;
  /** What it may be called in a query. */
  spellings: readonly string[];
}

export interface Addressed<T> {
  symbol: T;
  /** Names this symbol alone: `Class/method`, of several `Class/method[2]`. */
  path: string;
  levels: readonly Level[];
}

/** All symbols of a tree with their paths, each before its children. */
export function addressed<T extends { name: string; children?: readonly T[] }>(
  symbols: readonly T[],
  outer: readonly Level[] = [],
): Addressed<T>[] {
  const counts = new Map<string, number>();
  for (const { name } of symbols) counts.set(name, (counts.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  return symbols.flatMap((symbol) => {
    const { name, children = [] } = symbol;
    const index = (seen.get(name) ?? 0) + 1;
    seen.set(name, index);
    const label = (counts.get(name) ?? 0) > 1 ? `${name}[${index}]` : name;
    const levels = [...outer, { name, index, label, spellings: spellings(name, index) }];
    const path = levels.map((level) => level.label).join('/');
    return [{ symbol, levels, path }, ...addressed(children, levels)];
  });
}

/**
 * The symbols that a name path means: whole paths, otherwise ends of paths. A leading `/` asks for whole paths only. The
 * separators of languages (`.`, `::`, `#`) are accepted too.
 */
export function matchingSymbols<T>(all: readonly Addressed<T>[], wanted: string): Addressed<T>[] {
  for (const query of new Set([wanted, wanted.replaceAll(/::|[.#]/g, '/')])) {
    const found = all.filter(({ levels }) => match(levels, query));
    const whole = found.filter(({ levels }) => match(levels, query) === 'whole');
    if (found.length > 0) return whole.length > 0 ? whole : found;
  }
  return [];
}

/** The places of an identifier in a text. Global: for `matchAll` and `search`. */
export const wordPattern = (name: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`,
    'gu',
  );

/** The last name of a name path, without its index. */
export const lastName = (path: string): string =>
  (/[^/.:#]+$/.exec(path)?.[0] ?? path).replace(/\[\d+\]$/, '');

/** Names may hold slashes, so the query is compared from its end. */
function match(levels: readonly Level[], query: string): 'whole' | 'end' | undefined {
  const level = levels.at(-1);
  if (!level) return undefined;
  for (const spelling of level.spellings) {
    if (!query.endsWith(spelling)) continue; // nearly all
    if (query === spelling) return levels.length === 1 ? 'whole' : 'end';
    if (query === `/${spelling}`) return levels.length === 1 ? 'whole' : undefined;
    if (!query.endsWith(`/${spelling}`)) continue;
    const outer = match(levels.slice(0, -1), query.slice(0, -spelling.length - 1));
    if (outer) return outer;
  }
  return undefined;
}

/** Some servers put the parameters into a name (Java), a receiver (Go) or a mark of a heading (Markdown). */
function spellings(name: string, index: number): string[] {
  const bare = bareName(name);
  return [...new Set([name, bare])].flatMap((one) => [one, `${one}[${index}]`]);
}

/** A name without parameters or marks; TypeScript marks accessors. */
export const bareName = (name: string): string =>
  name
    .replace(/^#+ /, '')
    .replace(/^\([gs]et\) /, '')
    .replace(/^\(\*?\w+\)\./, '')
    .replace(/(?<=.)[(<].*$/s, '');

/** How alike, from 0 to 1, a name has to be. */
const ALIKE = 0.4;

/** The paths most like one that names nothing, best first. */
export const nearest = <T>(all: readonly Addressed<T>[], wanted: string): Addressed<T>[] =>
  mostAlike(all, lastName(wanted), ({ levels }) => bareName(levels.at(-1)?.name ?? ''));

/** The items whose names are most like one that is none of them, best first. */
export function mostAlike<T>(all: readonly T[], wanted: string, nameOf: (item: T) => string, most = 5): T[] {
  return all
    .map((one) => ({ one, score: likenessOfNames(nameOf(one), wanted) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ one }) => one);
}

/** Case aside; 0.5 at least if one contains the other. */
function likenessOfNames(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  const dice = likeness(pairsOf(one), pairsOf(other));
  const contains = Math.min(a.length, b.length) > 2 && (one.includes(other) || other.includes(one));
  return contains ? Math.max(dice, 0.5) : dice;
}
