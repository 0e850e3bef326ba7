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
  /** How deep it is in the tree, from 1. A name such as `Shape::scale` has more levels than that. */
  depth: number;
}

/** All symbols of a tree with their paths, each before its children. @param split the names in a name, the outermost first */
export function addressed<T extends { name: string; children?: readonly T[] }>(
  symbols: readonly T[],
  split = namesIn,
  outer: readonly Level[] = [],
  depth = 1,
): Addressed<T>[] {
  const keyOf = (name: string) => split(name).join('/');
  const counts = new Map<string, number>();
  for (const { name } of symbols) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
  const seen = new Map<string, number>();
  return symbols.flatMap((symbol) => {
    const { name, children = [] } = symbol;
    const key = keyOf(name);
    const index = (seen.get(key) ?? 0) + 1;
    seen.set(key, index);
    const names = split(name);
    const inner = names.at(-1) ?? name;
    const label = (counts.get(key) ?? 0) > 1 ? `${inner}[${index}]` : inner;
    const around = names.slice(0, -1).map((one) => levelOf(one, 1, one));
    const levels = [...outer, ...around, levelOf(inner, index, label)];
    const path = levels.map((level) => level.label).join('/');
    return [{ symbol, levels, path, depth }, ...addressed(children, split, levels, depth + 1)];
  });
}

const levelOf = (name: string, index: number, label: string): Level => ({
  name,
  index,
  label,
  spellings: spellings(name, index),
});

/** `(*Square).Area`, `(List[T]).Push` in Go: a receiver before the name. */
const RECEIVER = /^\(\*?(\w+)(?:\[.*\])?\)\.(.+)$/;
/** A qualifier of C++, Rust, Ruby or PHP before the name: `Shape::`, `Box<T>::`. A text with other signs is a title. */
const QUALIFIER = /^((?:[\p{L}\p{N}_$~]|<[^<>]*(?:<[^<>]*>[^<>]*)*>|\(anonymous[^()]*\))+)::(.+)$/su;

/** The names in the name that a server gives to a symbol outside of its scope, the outermost first: `Shape::scale`, `(*Square).Area`. */
export function namesIn(name: string): string[] {
  const [, outer, inner] = RECEIVER.exec(name) ?? QUALIFIER.exec(name) ?? [];
  return outer === undefined || inner === undefined ? [name] : [outer, ...namesIn(inner)];
}

/**
 * The symbols that a name path means: whole paths, otherwise ends of paths. A leading `/` asks for whole paths only. The
 * separators of languages (`.`, `::`, `#`, `\`) and receivers of Go are accepted too.
 */
export function matchingSymbols<T>(all: readonly Addressed<T>[], wanted: string): Addressed<T>[] {
  const plain = wanted.replace(/^\(\*?(\w+)(?:\[.*\])?\)\./, '$1/');
  for (const query of new Set([
    wanted,
    plain,
    plain.replaceAll(/::|[.#\\]/g, '/'),
    ...inNamespace(all, wanted),
  ])) {
    const found = generic(
      all.filter(({ levels }) => match(levels, query)),
      query,
    );
    const whole = found.filter(({ levels }) => match(levels, query) === 'whole');
    if (found.length > 0) return whole.length > 0 ? whole : [...found];
  }
  return [];
}

/** `Pair` is not its specialization `Pair<bool, bool>`, if both are there. */
function generic<T>(found: readonly Addressed<T>[], query: string): readonly Addressed<T>[] {
  const others = found.filter(({ levels }) => !/^[^()]*<.*>$/.test(levels.at(-1)?.name ?? ''));
  return query.endsWith('>') || others.length === 0 ? found : others;
}

/** In PHP a namespace is mostly a symbol beside those in it. */
function inNamespace(all: readonly Addressed<unknown>[], wanted: string): string[] {
  const [, namespace, rest] = /^\\?(.+)\\([^\\]+)$/s.exec(wanted) ?? [];
  if (rest === undefined || !all.some(({ path }) => path === namespace)) return [];
  return [`${namespace}/${rest}`, rest, rest.replaceAll(/::|[.#]/g, '/')];
}

/** The places of an identifier in a text. Global: for `matchAll` and `search`. */
export const wordPattern = (name: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`,
    'gu',
  );

/** The last name of a name path, without its index. */
export const lastName = (path: string): string =>
  (OPERATOR.exec(path)?.[0] ?? /[^/.:#\\]+$/.exec(path)?.[0] ?? path).replace(/(?<=.)\[\d+\]$/, '');

/** The members of an unnamed struct, union or namespace of C++ are those of what is around it. */
const isNamed = ({ name }: Level): boolean => !/^\(anonymous\b/.test(name);

/** Names may hold slashes, so the query is compared from its end. */
function match(levels: readonly Level[], query: string): 'whole' | 'end' | undefined {
  const level = levels.at(-1);
  if (!level) return undefined;
  for (const spelling of level.spellings) {
    if (!query.endsWith(spelling)) continue; // nearly all
    if (query === spelling) return levels.length === 1 ? 'whole' : 'end';
    if (query === `/${spelling}`) return levels.length === 1 ? 'whole' : undefined;
    if (!query.endsWith(`/${spelling}`)) continue;
    const [outer, rest] = [levels.slice(0, -1), query.slice(0, -spelling.length - 1)];
    const found = match(outer, rest) ?? match(outer.filter(isNamed), rest);
    if (found) return found;
  }
  return undefined;
}

/** Some servers put the parameters into a name (Java), a trait (Rust) or a mark of a heading (Markdown). */
function spellings(name: string, index: number): string[] {
  const bare = bareName(name);
  return [...new Set([name, bare])].flatMap((one) => [one, `${one}[${index}]`]);
}

/** An operator of C++, whose signs are no parameters: `operator()`, `operator<`, `operator std::string`. */
const OPERATOR = /\boperator(?:[^\w\s/.:#\\[(]|\s+\S|\(\)|\[\]|\/=?$).*$/s;

/** A name without parameters or marks; TypeScript marks accessors. */
export const bareName = (name: string): string =>
  OPERATOR.exec(name)?.index === 0
    ? name
    : name
        .replace(/^#+ /, '')
        .replace(/^\([gs]et\) /, '')
        .replace(/^impl(?:<[^<>]*>)? (?:.* for )?/, '')
        .replace(/(?<=.)[(<].*$/s, '');

/** The last of the names that a server gives to a symbol, without parameters: `scale` of `Box<T>::scale(int)`. */
export const ownName = (name: string): string => bareName(namesIn(name).at(-1) ?? name);

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
