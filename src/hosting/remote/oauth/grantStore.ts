import { isObject, parsedJson } from '../../../core/json.ts';
import type { Grant } from './grant.ts';

/** As VS Code's `SecretStorage`. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** The grant of one server in the secret storage, which all windows share. */
export class GrantStore {
  readonly #secrets: Secrets;
  readonly #key: string;

  /** @param key of the server; a grant is never used for another origin */
  constructor(secrets: Secrets, key: string, { origin }: URL) {
    this.#secrets = secrets;
    this.#key = `oauth ${JSON.stringify([key, origin])}`;
  }

  async read(): Promise<Grant | undefined> {
    const value = parsedJson((await this.#secrets.get(this.#key)) ?? '');
    return isObject(value) ? (value as unknown as Grant) : undefined;
  }

  async write(grant: Grant): Promise<void> {
    await this.#secrets.store(this.#key, JSON.stringify(grant));
  }

  async delete(): Promise<void> {
    await this.#secrets.delete(this.#key);
  }
}
