import type * as vscode from 'vscode';
import type { LanguageScope, Providers } from '../providers.ts';
import type { Target } from './candidates.ts';
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

interface Neighbour {
  item: Item;
  /** Where it refers to the other, or is declared. */
  place: ServerPlace;
}

type Direction = 'in' | 'out' | 'supertypes' | 'subtypes';

/**
 * Walks a call or type hierarchy, level by level; an item that was reached twice is followed once.
 *
 * @param limit most places in all
 * @returns undefined if there is no hierarchy at this place
 * @throws UserError, CancelledError
 */
export async function walkHierarchy(
  target: Target,
  { direction, depth, limit }: { direction: Direction; depth: number; limit: number },
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Walk | undefined> {
  const { name } = target;
  const { providers, files } = scope;
  const isOfCalls = direction === 'in' || direction === 'out';
  const prepare = isOfCalls ? 'a call hierarchy' : 'a type hierarchy';
  const asked = positionsOf(target, scope).map((position) =>
    providers.ask<Item>(prepare, target.document, signal, position),
  );
  const roots = [...new Map((await Promise.all(asked)).flat().map((item) => [keyOf(item), item])).values()];
  if (roots.length === 0) return undefined;
  const seen = new Set(roots.map(keyOf));
  const levels: HierarchyLevel[] = [];
  let [left, closed] = [limit, 0];
  let current = roots.map((item) => ({ item, name }));
  for (let level = 0; level < depth; level++) {
    const next: typeof current = [];
    for (const { item, name: of } of current) {
      if (left <= 0) return { levels, closed, isCut: true };
      const neighbours = await neighboursOf(item, direction, providers, signal);
      const found = await openPlaces(
        neighbours.map(({ place }) => place),
        files,
      );
      closed += found.closed;
      if (found.open.length > 0) levels.push({ of, places: found.open.slice(0, left) });
      left -= found.open.length;
      const open = new Set(found.open.map(({ uri }) => uri.toString()));
      for (const { item, place } of neighbours) {
        if (!open.has(place.uri.toString()) || seen.has(keyOf(item))) continue;
        seen.add(keyOf(item));
        const redacted = await redactedName(item, files);
        next.push({ item, name: redacted });
      }
    }
    current = next;
  }
  return { levels, closed, isCut: left < 0 };
}

/** TypeScript knows the calls of an overloaded function at some of its signatures. */
const positionsOf = ({ position, parts }: Target, { vscode: { Position } }: LanguageScope) =>
  parts?.map(({ symbol: { line, column } }) => new Position(line - 1, column - 1)) ?? [position];

const keyOf = ({ uri, selectionRange: { start } }: Item): string => `${uri} ${start.line}:${start.character}`;

async function redactedName({ name, uri, selectionRange }: Item, files: LanguageScope['files']) {
  const location = await files.permitted(uri);
  const redacted = location && (await files.redactor.redactedText(location));
  return redacted?.named(name, selectionRange) ?? name;
}

async function neighboursOf(
  item: Item,
  direction: Direction,
  providers: Providers,
  signal: AbortSignal,
): Promise<Neighbour[]> {
  if (direction === 'in') {
    const calls = await providers.run<vscode.CallHierarchyIncomingCall>('callers', signal, item);
    return calls.flatMap(({ from, fromRanges }) =>
      (fromRanges.length > 0 ? fromRanges : [from.selectionRange]).map((range) => ({
        item: from,
        place: { uri: from.uri, range, ...(!isModule(from) && { label: from.name }) },
      })),
    );
  }
  if (direction === 'out') {
    const calls = await providers.run<vscode.CallHierarchyOutgoingCall>('calls', signal, item);
    return calls.map(({ to }) => declared(to));
  }
  return (await providers.run<vscode.TypeHierarchyItem>(direction, signal, item)).map(declared);
}

/** A call outside of all functions: some servers name the file. */
const isModule = ({ name, uri }: Item): boolean => uri.path.endsWith(`/${name}`);

/** Its line has its name. */
const declared = (item: Item): Neighbour => ({
  item,
  place: { uri: item.uri, range: item.selectionRange },
});
