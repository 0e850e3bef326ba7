import type { Policy } from '../../access/policy.ts';
import type { Location, Locator } from './location.ts';

/** Files that were located, by path, while no rule has changed. */
const located = new WeakMap<object, Map<string, Location>>();
const MOST = 1_000;

function locatedBy({ rules }: Policy): Map<string, Location> {
  const known = located.get(rules) ?? new Map<string, Location>();
  located.set(rules, known);
  return known;
}

/** The location of a file: the last one if its links still lead there, else what `locate` finds. */
export async function remembered(
  locator: Locator,
  path: string,
  locate: (locator: Locator, path: string) => Promise<Location>,
): Promise<Location> {
  const isKnown = locatedBy(locator.policy).has(path);
  const resolved = isKnown ? await locator.world.resolve(path).catch(() => undefined) : undefined;
  const known = locatedBy(locator.policy); // others if rules have changed meanwhile
  const last = known.get(path);
  if (last && !resolved?.error && last.realPath === resolved?.realPath) return last;
  const location = await locate(locator, path);
  if (known.size === MOST) known.clear();
  if (location.realPath !== undefined) known.set(path, location);
  return location;
}
