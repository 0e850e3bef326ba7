import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/messages.ts';
import type { Secrets } from '../remote/authorization.ts';

/**
 * What is kept for each server in VS Code's secret storage: values that the user entered, and sign-ins. The global state remembers
 * under which keys, because a later definition of the server does not name what an earlier one needed.
 */
export function keptSecrets(store: Pick<vscode.Memento, 'get' | 'update'>, secrets: Secrets) {
  /** By server; each ends when the server is forgotten. */
  const lives = new Map<string, AbortController>();
  const keptAs = (server: string) => `hosting.secrets:${server}`;
  const keysOf = (server: string): readonly string[] => store.get<string[]>(keptAs(server)) ?? [];
  return {
    /** Those of one server. Nothing more is stored by it after `forget`, as by a sign-in that ends later. @param server from `serverKey` */
    of(server: string): Secrets {
      const life = lives.get(server) ?? new AbortController();
      lives.set(server, life);
      return {
        get: (key) => secrets.get(key),
        async store(key, value) {
          const keys = keysOf(server);
          if (!keys.includes(key)) await store.update(keptAs(server), [...keys, key]); // first, or it could stay for ever
          throwIfCancelled(life.signal);
          await secrets.store(key, value);
        },
        delete: (key) => secrets.delete(key),
      };
    },

    /** Deletes all that was ever kept for a server. */
    async forget(server: string): Promise<void> {
      lives.get(server)?.abort();
      lives.delete(server);
      for (const key of keysOf(server)) await secrets.delete(key);
      await store.update(keptAs(server), undefined);
    },
  };
}

export type KeptSecrets = ReturnType<typeof keptSecrets>;
