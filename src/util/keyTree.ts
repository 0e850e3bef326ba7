/**
 * Names under keys that lie in one another, as paths do: `a/b` in `a`. What happens to a key concerns those that hold it
 * and those that it holds; they are found by its parts, however many others there are.
 */
export class KeyTree {
  readonly #names = new Map<string, Set<string>>();
  /** By each key that holds others: those that have names. */
  readonly #held = new Map<string, Set<string>>();

  add(key: string, name: string): void {
    const trimmed = trim(key);
    put(this.#names, trimmed, name);
    for (const holder of holdersOf(trimmed)) put(this.#held, holder, trimmed);
  }

  delete(key: string, name: string): void {
    const trimmed = trim(key);
    take(this.#names, trimmed, name);
    if (this.#names.has(trimmed)) return;
    for (const holder of holdersOf(trimmed)) take(this.#held, holder, trimmed);
  }

  /** The names of a key, and of those that it holds. */
  *within(key: string): Iterable<string> {
    const trimmed = trim(key);
    for (const one of [trimmed, ...(this.#held.get(trimmed) ?? [])]) yield* this.#names.get(one) ?? [];
  }

  /** The names of a key, of those that hold it and of those that it holds. */
  *around(key: string): Iterable<string> {
    yield* this.within(key);
    for (const one of holdersOf(trim(key))) yield* this.#names.get(one) ?? [];
  }
}

/** A folder may be named with a slash at its end. */
const trim = (key: string): string => key.replace(/\/+$/, '');

/** The scheme of a URI holds all of its. */
function holdersOf(key: string): string[] {
  const scheme = /^[a-z][a-z0-9+.-]*:(?=[^/])/i.exec(key);
  const holders: string[] = scheme ? [...scheme] : [];
  for (let at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1)) {
    if (key[at - 1] !== '/') holders.push(key.slice(0, at));
  }
  return holders;
}

function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}

function take(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  known?.delete(value);
  if (known?.size === 0) map.delete(key);
}
