import type * as vscode from 'vscode';
import { FUNCTIONS, TYPES } from '../../../core/kinds.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Wanted } from '../providerCommands.ts';
import type { LanguageScope, Providers } from '../providers.ts';
import { positionsOf, type Target } from './candidates.ts';
import { type OpenPlace, openPlaces, type ServerPlace } from './places.ts';

export type Item = vscode.CallHierarchyItem | vscode.TypeHierarchyItem;

/** The neighbours of one item, such as the callers of a function. */
interface HierarchyLevel {
  /** The item's name, redacted. */
  of: string;
  places: readonly OpenPlace[];
}

export interface Walk {
  levels: readonly HierarchyLevel[];
  /** Places in files that are closed to this agent; they are not followed. */
  closed: number;
  /** Whether the limit ended the walk. */
  isCut: boolean;
}

/** How a hierarchy is found: by the server, or otherwise. */
interface Steps<T> {
  roots: readonly T[];
  keyOf(item: T): string;
  /** Redacted. */
  nameOf(item: T): string | Promise<string>;
  neighboursOf(item: T): Promise<readonly Neighbour<T>[]>;
}

export interface Neighbour<T> {
  /** If it can be followed. */
  item?: T | undefined;
  /** Where it refers to the other, or is declared. */
  place: ServerPlace;
}

type Direction = 'in' | 'out' | 'supertypes' | 'subtypes';

export interface Extent {
  depth: number;
  /** Most places in all. */
  limit: number;
}

/**
 * Walks a call or type hierarchy as the server knows it, level by level.
 *
 * @returns undefined if there is no hierarchy at this place
 * @throws UserError, CancelledError
 */
export async function walkHierarchy(
  target: Target,
  { direction, ...extent }: Extent & { direction: Direction },
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Walk | undefined> {
  const { providers, files } = scope;
  const { document, symbol, name } = target;
  const [prepare, kinds] = PREPARED[direction];
  // TypeScript knows the calls of an overloaded function at some of its signatures.
  const asked = positionsOf(target, scope).map((position) =>
    providers.ask<Item>(prepare, document, signal, position),
  );
  const roots = [...new Map((await Promise.all(asked)).flat().map((item) => [keyOf(item), item])).values()];
  if (roots.length === 0) {
    // Servers that offer hierarchies may give none for an enum.
    if (kinds.has(symbol?.kind ?? '') && symbol?.kind !== 'enum') providers.missed(prepare, document);
    return undefined;
  }
  const steps: Steps<Item> = {
    roots,
    keyOf,
    nameOf: (item) => redactedName(item, files),
    neighboursOf: (item) => neighboursOf(item, direction, document, providers, signal),
  };
  return walk(steps, name, extent, files);
}

/** What gives the first item, and the kinds of symbols for which a server that offers it must give one. */
const OF_CALLS = ['a call hierarchy', FUNCTIONS] as const;
const OF_TYPES = ['a type hierarchy', TYPES] as const;
const PREPARED = { in: OF_CALLS, out: OF_CALLS, supertypes: OF_TYPES, subtypes: OF_TYPES };

/**
 * Walks level by level; an item that was reached twice is followed once, and a place of several overloads stands once.
 *
 * @param name of the roots
 */
export async function walk<T>(
  { roots, keyOf, nameOf, neighboursOf }: Steps<T>,
  name: string,
  { depth, limit }: Extent,
  files: Files,
): Promise<Walk> {
  const seen = new Set(roots.map(keyOf));
  const told = new Set<string>();
  const isNew = (of: string, { uri, range: { start } }: ServerPlace) =>
    told.size !== told.add(`${of} ${uri} ${start.line}:${start.character}`).size;
  const levels: HierarchyLevel[] = [];
  let [left, closed] = [limit, 0];
  let current = roots.map((item) => ({ item, name }));
  for (let level = 0; level < depth; level++) {
    const next: typeof current = [];
    for (const { item, name: of } of current) {
      if (left <= 0) return { levels, closed, isCut: true };
      const neighbours = (await neighboursOf(item)).filter(({ place }) => isNew(of, place));
      const found = await openPlaces(
        neighbours.map(({ place }) => place),
        files,
      );
      closed += found.closed;
      if (found.open.length > 0) levels.push({ of, places: found.open.slice(0, left) });
      left -= found.open.length;
      const open = new Set(found.open.map(({ uri }) => uri.toString()));
      for (const { item, place } of neighbours) {
        if (!item || !open.has(place.uri.toString()) || seen.has(keyOf(item))) continue;
        seen.add(keyOf(item));
        next.push({ item, name: await nameOf(item) });
      }
    }
    current = next;
  }
  return { levels, closed, isCut: left < 0 };
}

const keyOf = ({ uri, selectionRange: { start } }: Item): string => `${uri} ${start.line}:${start.character}`;

async function redactedName({ name, uri, selectionRange }: Item, files: Files) {
  const location = await files.permitted(uri);
  const redacted = location && (await files.redactor.redactedText(location));
  return redacted?.named(name, selectionRange) ?? name;
}

async function neighboursOf(
  item: Item,
  direction: Direction,
  document: vscode.TextDocument,
  providers: Providers,
  signal: AbortSignal,
): Promise<Neighbour<Item>[]> {
  const given = async <T>(what: Wanted): Promise<readonly T[]> =>
    (await providers.value<readonly T[]>(what, document, signal, [item])) ?? [];
  if (direction === 'in') {
    const calls = await given<vscode.CallHierarchyIncomingCall>('callers');
    return calls.flatMap(({ from, fromRanges }) =>
      (fromRanges.length > 0 ? fromRanges : [from.selectionRange]).map((range) => ({
        item: from,
        place: { uri: from.uri, range, ...(!isModule(from) && { label: from.name }) },
      })),
    );
  }
  if (direction === 'out') {
    const calls = await given<vscode.CallHierarchyOutgoingCall>('outgoing calls');
    return calls.map(({ to }) => declared(to));
  }
  return (await given<vscode.TypeHierarchyItem>(direction)).map(declared);
}

/** A call outside of all functions: some servers name the file. */
const isModule = ({ name, uri }: Item): boolean => uri.path.endsWith(`/${name}`);

/** Its line has its name. */
const declared = (item: Item): Neighbour<Item> => ({
  item,
  place: { uri: item.uri, range: item.selectionRange },
});
