import { createHash } from 'node:crypto';
import { type Fields, isObject } from '../core/json.ts';

/**
 * Most characters of a whole name. Agents put their own prefix before it (`mcp__workspace-mcp__` has 20) and models' APIs take 64;
 * a single longer name ends the session in some agents.
 */
const NAME_LENGTH = 44;
const SLUG_LENGTH = 16;
/** No slug has an underscore, and no name of our own tools has two. */
const SEPARATOR = '__';

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
  return uniqueNames(items, SLUG_LENGTH, '-');
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
  const { name: start } = hostedStarts(slug);
  const rest = uniqueNames(items, NAME_LENGTH - start.length, '_');
  return new Map([...rest].map(([name, last]) => [name, start + last]));
}

const made = new WeakMap<readonly Fields[], { slug: string; names: Map<string, string> }>();

/** `hostedNames` of a list of tools or prompts as the server sent it. Made once for each list: it may have 10,000 items. */
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

interface Nameable {
  /** Tells it from all others. Two with the same wanted name are kept apart by it. */
  id: string;
  /** The name that it gets if nothing else wants the same. */
  wanted: string;
  /** Whether `wanted` says all: it was not shortened, and no character was replaced. */
  isExact: boolean;
}

/** Hexadecimal digits of a hash in a name that was cut or is wanted twice. */
const HASH_DIGITS = 4;

/**
 * A name of at most `most` UTF-16 units for each id, which does not depend on the order of the items. An exact name stays as it is, unless
 * another item has the same. A name that is too long is always cut and gets a hash, so that items which come later do not change it.
 *
 * @param separator before the hash
 */
export function uniqueNames(
  items: readonly Nameable[],
  most: number,
  separator: string,
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const take = (id: string, name: string) => {
    names.set(id, name);
    taken.add(name);
  };
  const groups = Map.groupBy(items, ({ wanted }) => wanted);
  const hashed: Nameable[] = [];
  for (const [wanted, group] of groups) {
    const entitled = group.length === 1 ? group : group.filter(({ isExact }) => isExact);
    const isUsable = entitled.length === 1 && wanted.length > 0 && wanted.length <= most;
    for (const item of group)
      if (isUsable && item === entitled[0]) take(item.id, wanted);
      else hashed.push(item);
  }
  for (const item of hashed.sort((a, b) => (a.id < b.id ? -1 : 1)))
    take(item.id, withHash(item, most, separator, taken));
  return new Map(items.map(({ id }) => [id, names.get(id) ?? '']));
}

/** Two items rarely have the same digits; the second then takes those of another hash. */
function withHash({ id, wanted }: Nameable, most: number, separator: string, taken: Set<string>): string {
  const start = wanted.slice(0, most - HASH_DIGITS - separator.length).replace(/[-_]+$/, '');
  for (let round = 0; ; round++) {
    const name = `${start}${separator}${fingerprint([id, round]).slice(0, HASH_DIGITS)}`;
    if (!taken.has(name)) return name;
  }
}

/**
 * URIs of hosted resources: `hosted://<slug>/<original>`. The original follows as it is, because a path may contain every character
 * of a URI. Percent-encoding it would break templates: `{id}` is expanded by the agent, which encodes only once. That of an app
 * keeps its scheme, `ui://hosted/<slug>/<rest>`, because hosts of MCP Apps refuse every other.
 */
const HOSTED_URI = /^(?:hosted:\/|(ui:)\/\/hosted)\/([a-z0-9-]+)\/(.*)$/is;
const APP_SCHEME = 'ui://';

/** VS Code's `Uri.toString()` encodes the colon. An absolute URI has no other `%3A` directly after its scheme. */
const ENCODED_COLON = /^([a-z][a-z0-9+.-]*)%3A/i;

/** The URI, or URI template, that agents see for one of a server. */
export const hostedUri = (slug: string, original: string): string =>
  original.startsWith(APP_SCHEME)
    ? `${hostedStarts(slug).app}${original.slice(APP_SCHEME.length)}`
    : `${hostedStarts(slug).other}${original}`;

/** What all that agents see of one server starts with: names, URIs of its apps, and other URIs. */
export const hostedStarts = (slug: string): { name: string; app: string; other: string } => ({
  name: slug + SEPARATOR,
  app: `${APP_SCHEME}hosted/${slug}/`,
  other: `hosted://${slug}/`,
});

/** The server and its own URI or template; undefined if it is not hosted. */
export function originalUri(uri: string): { slug: string; uri: string } | undefined {
  const [, app, slug, original] = HOSTED_URI.exec(uri) ?? [];
  if (slug === undefined || original === undefined) return undefined;
  const own = app ? APP_SCHEME + original : original.replace(ENCODED_COLON, '$1:');
  return { slug: slug.toLowerCase(), uri: own };
}

/** The SHA-256 of a JSON value in hex. The order of fields does not matter, and a field that is undefined counts as absent. */
export function fingerprint(value: unknown): string {
  const sorted = (_: string, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one;
  return createHash('sha256')
    .update(`${JSON.stringify(value, sorted)}`)
    .digest('hex');
}

export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
