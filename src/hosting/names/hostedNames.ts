import type { Fields } from '../../core/json.ts';
import { type Nameable, uniqueNames } from './uniqueNames.ts';

/**
 * Most characters of a whole name. Agents put their own prefix before it (`mcp__workspace-mcp__` has 20) and models' APIs take 64;
 * a single longer name ends the session in some agents.
 */
const LONGEST_NAME = 44;
const LONGEST_SLUG = 16;
/** No slug has an underscore, and no name of our own tools has two. */
const BETWEEN = '__';

/**
 * A short name of [a-z0-9-] for each server, by id, which is the first part of its tools' names: `mysql`, `my-db`. A name that
 * already is one stays, whatever other servers there are.
 *
 * @param servers each id once; the names may repeat
 */
export function serverSlugs(servers: readonly { id: string; name: string }[]): Map<string, string> {
  const items = servers.map(({ id, name }) => {
    const slug = slugOf(name);
    return { id, wanted: slug || 'server', isExact: slug !== '' && slug === name };
  });
  return uniqueNames(items, LONGEST_SLUG, '-');
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/**
 * The names that agents see for one server's tools, or for its prompts, by the server's own name: `mysql__query`. At most 44
 * characters of [A-Za-z0-9_-], which all models' APIs accept.
 */
export function hostedNames(slug: string, names: readonly string[]): Map<string, string> {
  const items = [...new Set(names)].map((name): Nameable => {
    const wanted = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
    const isReadable = /[A-Za-z0-9]/.test(wanted);
    return { id: name, wanted: isReadable ? wanted : 'unnamed', isExact: isReadable && wanted === name };
  });
  const start = slug + BETWEEN;
  const rest = uniqueNames(items, LONGEST_NAME - start.length, '_');
  return new Map([...rest].map(([name, last]) => [name, start + last]));
}

const made = new WeakMap<readonly Fields[], { slug: string; names: Map<string, string> }>();

/** The same for a list of tools or prompts as the server sent it. Made once for each list: it may have 10,000 items. */
export function namesInList(slug: string, items: readonly Fields[]): Map<string, string> {
  const known = made.get(items);
  if (known?.slug === slug) return known.names;
  const names = hostedNames(
    slug,
    items.map(({ name }) => `${name}`),
  );
  made.set(items, { slug, names });
  return names;
}
