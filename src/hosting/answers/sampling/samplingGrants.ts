import { itemsOf, parsedJson } from '../../../core/json.ts';

/** Where grants are kept: VS Code's storage, which no repository can write. */
export interface SamplingGrantStore {
  get(): readonly string[];
  set(keys: readonly string[]): PromiseLike<void>;
}

/** The name of the server. @param key from `grantKey` */
export const nameInKey = (key: string): string => `${itemsOf(parsedJson(key))[1] ?? key}`;

/** The servers that may ask a language model without asking the user, by keys from `grantKey`. */
export class SamplingGrants {
  readonly #store: SamplingGrantStore;
  readonly #session = new Set<string>();

  constructor(store: SamplingGrantStore) {
    this.#store = store;
  }

  has(key: string): boolean {
    return this.#session.has(key) || this.#store.get().includes(key);
  }

  /** Until the window is closed or reloaded. */
  allowForSession(key: string): void {
    this.#session.add(key);
  }

  async allowAlways(key: string): Promise<void> {
    await this.#store.set([...new Set([...this.#store.get(), key])]);
  }

  async revoke(key: string): Promise<void> {
    this.#session.delete(key);
    await this.#store.set(this.#store.get().filter((one) => one !== key));
  }

  /** All keys, for the user to revoke. */
  get keys(): string[] {
    return [...new Set([...this.#session, ...this.#store.get()])];
  }
}
