import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';

/** VS Code's secret storage, or the part of it for one server. */
export type Secrets = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;

/**
 * What is kept for each server in VS Code's secret storage: values that the user entered, and sign-ins. The global state remembers
 * under which keys, because a later definition of the server does not name what an earlier one needed. Servers are named by `serverKey`.
 */
export class KeptSecrets {
  readonly #store: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #secrets: Secrets;
  /** Each is aborted when its server is forgotten. */
  readonly #lives = new Map<string, AbortController>();

  constructor(store: Pick<vscode.Memento, 'get' | 'update'>, secrets: Secrets) {
    this.#store = store;
    this.#secrets = secrets;
  }

  /** The secrets of one server. Nothing more is stored by it after `forget`, as by a sign-in that ends later. */
  of(server: string): Secrets {
    const life = this.#lives.get(server) ?? new AbortController();
    this.#lives.set(server, life);
    return {
      get: (key) => this.#secrets.get(key),
      store: async (key, value) => {
        const keys = this.#keysOf(server);
        // First, or the value could stay for ever.
        if (!keys.includes(key)) await this.#store.update(keptAs(server), [...keys, key]);
        throwIfCancelled(life.signal);
        await this.#secrets.store(key, value);
      },
      delete: (key) => this.#secrets.delete(key),
    };
  }

  /** Deletes all that was ever kept for a server. */
  async forget(server: string): Promise<void> {
    this.#lives.get(server)?.abort();
    this.#lives.delete(server);
    for (const key of this.#keysOf(server)) await this.#secrets.delete(key);
    await this.#store.update(keptAs(server), undefined);
  }

  #keysOf(server: string): readonly string[] {
    return this.#store.get<string[]>(keptAs(server)) ?? [];
  }
}

const keptAs = (server: string): string => `hosting.secrets:${server}`;
