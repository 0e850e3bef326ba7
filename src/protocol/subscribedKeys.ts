import { firstFrom } from '../workspace/list/fileList.ts';

/** Subscribed resources by their keys. A change looks at few of them: a checkout may change 30,000 files at once. */
export class SubscribedKeys {
  /** URIs by key, which has no slashes at its end: a folder may be named with some. */
  readonly #uris = new Map<string, Set<string>>();
  /** Made again after a change. */
  #order: { sorted: readonly string[]; lengths: readonly number[] } | undefined;

  add(keys: readonly string[], uri: string): void {
    for (const key of keys.map(trim)) this.#uris.set(key, (this.#uris.get(key) ?? new Set()).add(uri));
    this.#order = undefined;
  }

  delete(keys: readonly string[], uri: string): void {
    for (const key of keys.map(trim)) {
      const uris = this.#uris.get(key);
      uris?.delete(uri);
      if (uris?.size === 0) this.#uris.delete(key);
    }
    this.#order = undefined;
  }

  /**
   * The URIs that a change concerns: of the key and of all that it holds, as a folder holds paths and a scheme its URIs.
   *
   * @param alone if false, also of all that hold it
   */
  concerned(key: string, alone = false): Set<string> {
    const changed = trim(key);
    const { sorted, lengths } = this.#ordered();
    const keys = alone
      ? [changed]
      : lengths.filter((at) => endsAt(changed, at)).map((at) => changed.slice(0, at));
    const prefix = changed.endsWith(':') ? changed : `${changed}/`;
    for (let at = firstFrom(sorted, prefix); sorted[at]?.startsWith(prefix); at++) keys.push(`${sorted[at]}`);
    return new Set(keys.flatMap((one) => [...(this.#uris.get(one) ?? [])]));
  }

  #ordered() {
    if (this.#order) return this.#order;
    const sorted = [...this.#uris.keys()].sort();
    const lengths = [...new Set(sorted.map(({ length }) => length))];
    this.#order = { sorted, lengths };
    return this.#order;
  }
}

/** Not by a regular expression, which takes seconds for many slashes inside. */
function trim(key: string): string {
  let end = key.length;
  while (key[end - 1] === '/') end--;
  return key.slice(0, end);
}

/** Whether so many characters of a key can be a key that holds it, or all of it. */
const endsAt = (key: string, length: number): boolean =>
  length === key.length || key[length] === '/' || (length < key.length && key[length - 1] === ':');
