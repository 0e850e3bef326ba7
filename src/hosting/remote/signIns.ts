import type { KeptSecrets } from '../config/keptSecrets.ts';
import type { L10n } from '../config/problems.ts';
import type { ResolvedRemote } from '../config/resolve/resolved.ts';
import { Authorization } from './authorization.ts';
import type { Browser } from './signIn.ts';

interface SignInNeeds extends Browser {
  secrets: KeptSecrets;
  l10n: L10n;
  /** Called when a server needs a sign-in, or has one. */
  onChange(): void;
}

/** The user's sign-ins at remote servers, by keys from `serverKey`: one for each, over all connections, unless its address changes. */
export class SignIns {
  readonly #needs: SignInNeeds;
  readonly #all = new Map<string, { url: string; authorization: Authorization }>();

  constructor(needs: SignInNeeds) {
    this.#needs = needs;
  }

  /** Undefined if the server has not been connected to. */
  get(key: string): Authorization | undefined {
    return this.#all.get(key)?.authorization;
  }

  for(key: string, server: ResolvedRemote): Authorization {
    const known = this.#all.get(key);
    if (known?.url === server.url.href) return known.authorization;
    const { secrets, ...others } = this.#needs;
    const clientName = 'Workspace MCP';
    const authorization = new Authorization({ ...others, key, server, secrets: secrets.of(key), clientName });
    authorization.changed.listen(others.onChange);
    this.#all.set(key, { url: server.url.href, authorization });
    return authorization;
  }

  async signOut(key: string): Promise<void> {
    const authorization = this.get(key);
    this.#all.delete(key);
    await authorization?.signOut();
  }
}
