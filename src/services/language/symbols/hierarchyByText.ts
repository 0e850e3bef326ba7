import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { namesCalled, namesExtended } from '../../../core/declarations/mentions.ts';
import { inParallel } from '../../../util/turns.ts';
import type { LanguageScope } from '../providers.ts';
import { type Target, targetOf } from './candidates.ts';
import { declarationOf } from './declaration.ts';
import { type Extent, FUNCTIONS, type Neighbour, TYPES, type Walk, walk } from './hierarchy.ts';
import { type FileSymbol, outlineOf } from './outline.ts';
import { type Definition, type OpenPlace, openPlaces, placeOf, type ServerPlace } from './places.ts';

/** Lines of the head of a class, and calls of one function that are looked up. */
const MOST_HEAD_LINES = 20;
const MOST_CALLS = 60;
const AT_ONCE = 8;

const CALLED: ReadonlySet<string> = new Set([...FUNCTIONS, 'class']);

interface CalledWalk extends Walk {
  /** Calls in the text that lead to no function. */
  unknown: number;
  /** Calls that were not looked up. */
  leftOut: number;
}

type NeighboursOf = (item: Target) => Promise<readonly Neighbour<Target>[]>;

/** Hierarchies by other answers than that to the hierarchy's own request: for servers that do not offer it. */
export function hierarchiesByText(target: Target, extent: Extent, scope: LanguageScope, signal: AbortSignal) {
  const { files, providers } = scope;

  const walked = (roots: readonly Target[], neighboursOf: NeighboursOf) =>
    walk({ roots, keyOf, nameOf: ({ name }) => name, neighboursOf }, target.name, extent, files);

  const neighbour = (item: Target): Neighbour<Target> => {
    const { location, position } = item;
    return { item, place: { uri: location.uri, range: new scope.vscode.Range(position, position) } };
  };

  /** What the name at a position is defined as: a symbol of these kinds, or something in a file that is closed to this agent. */
  async function declaredAt(
    { document }: Target,
    position: vscode.Position,
    kinds: ReadonlySet<string>,
  ): Promise<Neighbour<Target>[]> {
    const found = await providers.ask<Definition>('definitions', document, signal, position);
    const places = found.map(placeOf);
    const { open } = await openPlaces(places, files);
    const items = await Promise.all(open.map((place) => symbolAt(place, kinds, scope, signal)));
    return [...closedAmong(places, open), ...items.flatMap((item) => (item ? [neighbour(item)] : []))];
  }

  /** The symbol at its declaration and its definition, each if a file has it: a header's function has its calls in a source. */
  async function declarations(kinds: ReadonlySet<string>): Promise<Target[]> {
    const own = await declarationOf(target, scope, signal);
    if (!own) return [];
    const others = await declaredAt(own, own.position, kinds);
    const parts = own.parts?.map((part) => targetOf(part, scope)) ?? [];
    const all = [own, ...parts, ...others.flatMap(({ item }) => item ?? [])];
    return [...new Map(all.map((one) => [keyOf(one), one])).values()];
  }

  return {
    /** The functions that a function calls: the definitions of the names that its text calls. @throws UserError, CancelledError */
    async called(): Promise<CalledWalk> {
      let [unknown, leftOut] = [0, 0];
      const found = await walked(await declarations(FUNCTIONS), async (one) => {
        const all = await mentionsIn(one, Number.POSITIVE_INFINITY, namesCalled, scope);
        leftOut += Math.max(0, all.length - MOST_CALLS);
        const looked = await inParallel(all.slice(0, MOST_CALLS), AT_ONCE, (at) =>
          declaredAt(one, at, CALLED),
        );
        unknown += looked.filter(({ length }) => length === 0).length;
        return looked.flat();
      });
      return { ...found, unknown, leftOut };
    },

    /** The types that a type names in its head. @throws UserError, CancelledError */
    async supertypes(): Promise<Walk> {
      return walked(await declarations(TYPES), async (one) => {
        const all = await mentionsIn(one, MOST_HEAD_LINES, namesExtended, scope);
        return (await Promise.all(all.map((at) => declaredAt(one, at, TYPES)))).flat();
      });
    },

    /** The types in whose heads references to a type are. @throws UserError, CancelledError */
    subtypes(): Promise<Walk> {
      return walked([target], async ({ document, position }) => {
        const found = await providers.ask<vscode.Location>('references', document, signal, position);
        const { open } = await openPlaces(found, files);
        const byPath = [...Map.groupBy(open, ({ location }) => location.path).values()];
        const types = await inParallel(byPath, AT_ONCE, (places) => extending(places, scope, signal));
        return types.flat().map(neighbour);
      });
    },

    /**
     * The implementations of a type, which TypeScript's server knows, but no hierarchy.
     *
     * @param counts whether a place is one: among TypeScript's are variables
     * @throws UserError, CancelledError
     */
    implementations(counts: (place: OpenPlace) => Promise<boolean>): Promise<Walk> {
      return walked([target], async ({ document, position, location }) => {
        const found = await providers.ask<Definition>('implementations', document, signal, position);
        const isOther = ({ uri, range }: ServerPlace) =>
          `${uri}` !== `${location.uri}` || range.start.line !== position.line;
        const places = found.map(placeOf).filter(isOther);
        const { open } = await openPlaces(places, files);
        const types = await inParallel(open, AT_ONCE, async (place) =>
          (await counts(place)) ? [{ place, item: await symbolAt(place, TYPES, scope, signal) }] : [],
        );
        return [...closedAmong(places, open), ...types.flat()];
      });
    },
  };
}

const keyOf = ({ location, position: { line, character } }: Target): string =>
  `${location.uri} ${line}:${character}`;

/** The places in files that are closed to this agent: they are counted. */
function closedAmong(places: readonly ServerPlace[], open: readonly OpenPlace[]): Neighbour<Target>[] {
  const opened = new Set(open.map(({ uri }) => `${uri}`));
  return places.filter(({ uri }) => !opened.has(`${uri}`)).map((place) => ({ place }));
}

/** The types of one file in whose heads some of its places are. */
async function extending(
  places: readonly OpenPlace[],
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target[]> {
  const [first] = places;
  if (!first) return [];
  const outline = await outlineOf(first.location, scope, signal);
  const isNear = ({ kind, line, endLine }: FileSymbol) => {
    const last = Math.min(endLine, line + MOST_HEAD_LINES);
    return (
      TYPES.has(kind) && places.some(({ range: { start } }) => line - 1 <= start.line && start.line < last)
    );
  };
  const near = outline.all.filter(({ symbol }) => isNear(symbol));
  const types = await inParallel(near, AT_ONCE, async (found) => {
    const one = targetOf({ ...found, outline }, scope);
    const extended = await mentionsIn(one, MOST_HEAD_LINES, namesExtended, scope);
    return extended.some((at) => places.some(({ range }) => range.contains(at))) ? [one] : [];
  });
  return types.flat();
}

/** The symbol of these kinds whose name is at a place. */
async function symbolAt(
  { location, range: { start, end } }: OpenPlace,
  kinds: ReadonlySet<string>,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target | undefined> {
  const outline = await outlineOf(location, scope, signal);
  const isThere = ({ line, column }: FileSymbol) =>
    line - 1 === start.line &&
    start.character <= column - 1 &&
    (end.line > start.line || column - 1 <= end.character);
  const found = outline.all.find(({ symbol }) => kinds.has(symbol.kind) && isThere(symbol));
  return found && targetOf({ ...found, outline }, scope);
}

const NAME = /^~?[\p{L}\p{N}_$]+/u;

/** Where the text of a symbol, after its name, mentions names in a role. */
async function mentionsIn(
  { location, document, symbol }: Target,
  mostLines: number,
  find: (text: string, languageId: string) => number[],
  { files, vscode }: LanguageScope,
): Promise<vscode.Position[]> {
  if (!symbol) return [];
  const first = symbol.line - 1;
  const count = Math.min(mostLines, symbol.endLine - first);
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  const lines = await files.lines(location, numbers);
  const texts = numbers.map((number) => {
    const line = lines.get(number) ?? '';
    if (line.includes(REDACTED)) return ''; // its columns are others
    if (number !== first) return line;
    const from = symbol.column - 1;
    const name = NAME.exec(line.slice(from))?.[0] ?? '';
    return line.slice(from + name.length).padStart(line.length);
  });
  const starts = [0];
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length + 1);
  return find(texts.join('\n'), document.languageId).map((at) => {
    const index = starts.findLastIndex((start) => start <= at);
    return new vscode.Position(first + index, at - (starts[index] ?? 0));
  });
}
