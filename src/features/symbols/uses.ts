import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { walkHierarchy } from '../../services/language/symbols/hierarchy.ts';
import { keyOf, type OpenPlace, openPlaces } from '../../services/language/symbols/places.ts';
import { loadProjects } from '../../services/language/symbols/projects.ts';
import type { Context } from '../context.ts';

import { isInTest } from './shown.ts';

/** Most callers of one symbol. */
const MOST_CALLERS = 1_000;

/** Calls of a type are those of its constructor: most uses are none. */
const TYPES = new Set(['class', 'interface', 'enum', 'struct']);

interface Uses {
  lists: { title: string; places: readonly OpenPlace[]; areTests: boolean }[];
  /** Places in files that are closed to this agent. */
  closed: number;
  isCut: boolean;
}

/**
 * The callers of a symbol, and its references in files that do not call it, such as a callback; those in tests apart.
 *
 * @param counts whether a place is wanted
 * @throws UserError if no server answers, CancelledError
 */
export async function usesOf(
  target: Target,
  { depth, counts }: { depth: number; counts(place: OpenPlace): boolean },
  ctx: Context,
  signal: AbortSignal,
): Promise<Uses> {
  const { document, position, symbol } = target;
  if (isTypeScript(document.languageId)) await loadProjects(target.name, ctx, signal);
  const how = { direction: 'in', depth, limit: MOST_CALLERS } as const;
  const isType = TYPES.has(symbol?.kind ?? '');
  const walk = isType ? undefined : await walkHierarchy(target, how, ctx, signal);
  const found = await ctx.providers.ask<vscode.Location>('references', document, signal, position);
  if (!walk && found.length === 0) throw new UserError(ctx.providers.why('references', document));
  const { open, closed } = await openPlaces(found, ctx.files);
  const [first, ...others] = walk?.levels ?? [];
  const callers = first?.places.filter(counts) ?? [];
  const calling = new Set(callers.map(({ location }) => location.path));
  const all = [
    { title: 'Callers', places: callers },
    {
      title: calling.size > 0 ? 'Other uses' : 'Uses',
      places: open.filter((one) => !calling.has(one.location.path)),
    },
    ...others.map(({ of, places }) => ({ title: `Callers of ${visible(of)}`, places })),
  ];
  const lists = all.map((list) => ({ ...list, places: list.places.filter(counts) }));
  const inTests = lists.flatMap(({ places }) => places.filter(isInTest));
  inTests.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const apart = lists.map(({ title, places }) => ({
    title,
    places: places.filter((one) => !isInTest(one)),
    areTests: false,
  }));
  return {
    lists: [...apart, { title: 'In tests', places: inTests, areTests: true }].filter(
      ({ places }) => places.length > 0,
    ),
    closed: Math.max(closed, walk?.closed ?? 0),
    isCut: walk?.isCut === true,
  };
}
