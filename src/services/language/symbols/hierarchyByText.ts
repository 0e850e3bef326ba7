import type * as vscode from 'vscode';
import { namesCalled, namesExtended } from '../../../core/declarations/mentions.ts';
import { FUNCTIONS, TYPES } from '../../../core/kinds.ts';
import { inParallel } from '../../../util/queues.ts';
import type { LanguageScope } from '../providers.ts';
import { type Target, targetOf } from './candidates.ts';
import { declarationOf } from './declaration.ts';
import { referencesTo } from './elsewhere.ts';
import { type Extent, type Neighbour, type Walk, walk } from './hierarchy.ts';
import { type Finder, headLines, headsAt, isWithin, MOST_HEAD_LINES, mentionsIn } from './mentioned.ts';
import { type OpenPlace, openPlaces, placesAsked, type ServerPlace } from './places.ts';
import { symbolAtPlace } from './symbolAt.ts';

/** Calls of one function that are looked up. */
const MOST_CALLS = 60;
const AT_ONCE = 8;

const CALLED: ReadonlySet<string> = new Set([...FUNCTIONS, 'class']);

interface CalledWalk extends Walk {
  /** Calls in the text without a definition that the server knows. */
  unknown: number;
  /** Calls that were not looked up. */
  leftOut: number;
}

type NeighboursOf = (item: Target) => Promise<readonly Neighbour<Target>[]>;

/** Hierarchies by other answers than that to the hierarchy's own request: for servers that do not offer it. */
export class HierarchyByText {
  readonly #target: Target;
  readonly #extent: Extent;
  readonly #scope: LanguageScope;
  readonly #signal: AbortSignal;

  constructor(target: Target, extent: Extent, scope: LanguageScope, signal: AbortSignal) {
    this.#target = target;
    this.#extent = extent;
    this.#scope = scope;
    this.#signal = signal;
  }

  /** The functions that a function calls: the definitions of the names that its text calls. @throws UserError, CancelledError */
  async called(): Promise<CalledWalk> {
    let [unknown, leftOut] = [0, 0];
    const found = await this.#walked(await this.#declarations(), async (one) => {
      const all = await this.#mentions(one, FUNCTIONS, Number.POSITIVE_INFINITY, namesCalled);
      leftOut += Math.max(0, all.length - MOST_CALLS);
      const looked = await inParallel(all.slice(0, MOST_CALLS), AT_ONCE, ({ item, at }) =>
        this.#definedAt(item, at, CALLED),
      );
      unknown += looked.filter((called) => !called).length;
      return looked.flatMap((called) => called ?? []);
    });
    return { ...found, unknown, leftOut };
  }

  /** The types that a type names in its head. @throws UserError, CancelledError */
  async supertypes(): Promise<Walk & { leftOut?: number }> {
    return this.#walked(await this.#declarations(), async (one) => {
      const all = await this.#mentions(one, TYPES, MOST_HEAD_LINES, namesExtended);
      const found = await Promise.all(all.map(({ item, at }) => this.#definedAt(item, at, TYPES)));
      return found.flatMap((extended) => extended ?? []);
    });
  }

  /**
   * The types that name a type in their heads, by its references and the text of all files: a server may not have loaded some.
   *
   * @returns also how many files with the name were not looked at
   * @throws UserError, CancelledError
   */
  async subtypes(): Promise<Walk & { leftOut: number }> {
    let leftOut = 0;
    const all = await this.#walked([this.#target], async (one) => {
      const found = await referencesTo(one, this.#scope, this.#signal);
      const { open } = await openPlaces(found, this.#scope.files);
      const isReference = (at: vscode.Position, path: string) =>
        open.some(({ location, range }) => location.path === path && isWithin(at, range));
      const isDefined = async (type: Target, at: vscode.Position) =>
        (await this.#definedAt(type, at, TYPES))?.some(({ item }) => item && keyOf(item) === keyOf(one));
      const lines = await headLines(one, open, this.#scope, this.#signal);
      leftOut += lines.leftOut;
      const types = await inParallel(lines.byFile, AT_ONCE, async (places) => {
        const heads = await headsAt(places, this.#scope, this.#signal);
        const extending = heads.map(async ({ type, at }) =>
          isReference(at, type.location.path) || (await isDefined(type, at)) ? [type] : [],
        );
        return (await Promise.all(extending)).flat();
      });
      return [...closedAmong(found, open), ...types.flat().map(this.#neighbour)];
    });
    return { ...all, leftOut };
  }

  /**
   * The direct implementations of a type, for TypeScript's server, which has no hierarchy and gives those of its subtypes, too.
   *
   * @param counts whether a place is one: among TypeScript's are variables
   * @throws UserError, CancelledError
   */
  implementations(counts: (place: OpenPlace) => Promise<boolean>): Promise<Walk> {
    return this.#walked([this.#target], async (one) => {
      const isOther = ({ uri, range }: ServerPlace) =>
        `${uri}` !== `${one.location.uri}` || range.start.line !== one.position.line;
      const places = (await placesAsked('implementations', one, this.#scope, this.#signal)).filter(isOther);
      const { open } = await openPlaces(places, this.#scope.files);
      const types = await inParallel(open, AT_ONCE, async (place) =>
        (await counts(place)) ? [{ place, item: await this.#symbolAt(place, TYPES) }] : [],
      );
      return [...closedAmong(places, open), ...(await this.#direct(one, types.flat()))];
    });
  }

  #walked(roots: readonly Target[], neighboursOf: NeighboursOf): Promise<Walk> {
    const steps = { roots, keyOf, nameOf: ({ name }: Target) => name, neighboursOf };
    return walk(steps, this.#target.name, this.#extent, this.#scope.files);
  }

  readonly #neighbour = (item: Target): Neighbour<Target> => {
    const { line, character } = item.position;
    const range = new this.#scope.vscode.Range(line, character, line, character);
    return { item, place: { uri: item.location.uri, range } };
  };

  /** A symbol of these kinds. */
  async #symbolAt(place: OpenPlace, kinds: ReadonlySet<string>): Promise<Target | undefined> {
    const found = await symbolAtPlace(place, '', this.#scope, this.#signal);
    return found && kinds.has(found.symbol.kind) ? targetOf(found, this.#scope) : undefined;
  }

  /**
   * What the name at a position is defined as: a symbol of these kinds, or something in a file that is closed to this agent.
   *
   * @returns undefined if the server knows no definition
   */
  async #definedAt(
    { document }: Target,
    position: vscode.Position,
    kinds: ReadonlySet<string>,
  ): Promise<Neighbour<Target>[] | undefined> {
    const places = await placesAsked('definitions', { document, position }, this.#scope, this.#signal);
    if (places.length === 0) return undefined;
    const { open } = await openPlaces(places, this.#scope.files);
    const items = await Promise.all(open.map((place) => this.#symbolAt(place, kinds)));
    return [...closedAmong(places, open), ...items.flatMap((item) => (item ? [this.#neighbour(item)] : []))];
  }

  /** Where names are that a symbol mentions, also in its definition: a function of a header has its calls in a source. */
  async #mentions(one: Target, kinds: ReadonlySet<string>, mostLines: number, find: Finder) {
    const others = (await this.#definedAt(one, one.position, kinds)) ?? [];
    const all = [one, ...others.flatMap(({ item }) => (item && keyOf(item) !== keyOf(one) ? [item] : []))];
    const found = all.map(async (item) =>
      (await mentionsIn(item, mostLines, find, this.#scope)).map((at) => ({ item, at })),
    );
    return (await Promise.all(found)).flat();
  }

  /** The target where it is declared, or each of its declarations. */
  async #declarations(): Promise<Target[]> {
    const own = await declarationOf(this.#target, this.#scope, this.#signal);
    return own?.parts?.map((part) => targetOf(part, this.#scope)) ?? (own ? [own] : []);
  }

  /** Without the types whose heads name another one of them, and not the type itself. */
  async #direct(one: Target, found: readonly Neighbour<Target>[]): Promise<Neighbour<Target>[]> {
    const others = new Set(found.flatMap(({ item }) => (item ? keyOf(item) : [])));
    const judged = await inParallel(found, AT_ONCE, async (neighbour) => {
      const { item } = neighbour;
      const heads =
        item && others.size > 1 ? await mentionsIn(item, MOST_HEAD_LINES, namesExtended, this.#scope) : [];
      const named = await Promise.all(heads.map((at) => item && this.#definedAt(item, at, TYPES)));
      const keys = named.flatMap(
        (types) => types?.flatMap((type) => (type.item ? keyOf(type.item) : [])) ?? [],
      );
      const isIndirect = keys.some((key) => others.has(key)) && !keys.includes(keyOf(one));
      return isIndirect ? [] : [neighbour];
    });
    return judged.flat();
  }
}

const keyOf = ({ location, position: { line, character } }: Target): string =>
  `${location.uri} ${line}:${character}`;

/** The places in files that are closed to this agent: they are counted. */
function closedAmong(places: readonly ServerPlace[], open: readonly OpenPlace[]): Neighbour<Target>[] {
  const opened = new Set(open.map(({ uri }) => `${uri}`));
  return places.filter(({ uri }) => !opened.has(`${uri}`)).map((place) => ({ place }));
}
