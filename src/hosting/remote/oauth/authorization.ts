import { randomBytes } from 'node:crypto';
import { CancelledError, throwIfCancelled } from '../../../core/errors.ts';
import { Emitter } from '../../../util/emitter.ts';
import type { L10n } from '../../config/problems.ts';
import type { ResolvedRemote } from '../../config/resolve/resolveRemote.ts';
import { SignInRequiredError } from '../../connection/signInRequired.ts';
import type { Challenge, Credentials } from '../credentials.ts';
import { authorizationUrl, codeOf, responseOf } from './authorizationCode.ts';
import { type Discovery, discover } from './discovery.ts';
import { type Grant, type GrantSource, grantByCode, refreshed } from './grant.ts';
import { GrantStore, type Secrets } from './grantStore.ts';
import { knownClient, type OAuthClient, registerClient } from './oauthClient.ts';
import { OAuthRefusalError } from './oauthHttp.ts';
import { RedirectListener } from './redirectListener.ts';

/** A token is refreshed this long before it expires, in milliseconds. */
const EARLY = 30_000;

export interface AuthorizationOptions {
  /** Tells apart servers of the same origin in the secret storage. */
  key: string;
  server: Pick<ResolvedRemote, 'url' | 'clientId'>;
  /** Of the client that `server.clientId` names, if it has one. */
  clientSecret?: string;
  /** Shown by the authorization server, as in "Workspace MCP". */
  clientName: string;
  secrets: Secrets;
  /** Opens the user's browser. Resolves to false if the user did not want that, as `env.openExternal`. */
  openExternal(url: string): PromiseLike<unknown>;
  /** The address by which the user's browser reaches one of this machine, as `asExternalUri`; by default the same. */
  externalUrl?(url: string): PromiseLike<string>;
  l10n: L10n;
}

/** The user's sign-in at one server (OAuth 2.1, as in MCP's authorization). Keep one for each server, over all connections. */
export class Authorization implements Credentials {
  readonly #options: AuthorizationOptions;
  readonly #store: GrantStore;
  readonly #changed = new Emitter<void>();
  #grant: Promise<Grant | undefined> | undefined;
  #refreshing: Promise<Grant | undefined> | undefined;
  #challenge: Challenge | undefined;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.#store = new GrantStore(options.secrets, options.key, options.server.url);
  }

  /** Whether the server refused the last request until the user signs in. */
  get isRequired(): boolean {
    return this.#challenge !== undefined;
  }

  /** Fires when `isRequired` changes, and when the user has signed in again or out. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.listen(listener);
  }

  async token(): Promise<string | undefined> {
    this.#grant ??= this.#store.read();
    const grant = await this.#grant;
    if (!grant?.refreshToken || !grant.expiresAt || Date.now() < grant.expiresAt - EARLY)
      return grant?.accessToken;
    return (await this.#refresh(grant.accessToken))?.accessToken ?? grant.accessToken;
  }

  async replace(token: string | undefined, challenge: Challenge): Promise<void> {
    const grant = challenge.status === 401 && (await this.#refresh(token));
    if (!grant) this.demand(challenge);
  }

  demand(challenge: Challenge): never {
    const scopes = [this.#challenge?.status === 403 && this.#challenge.scope, challenge.scope];
    const scope = scopes.filter(Boolean).join(' ');
    this.#challenge = { ...challenge, ...(scope && { scope }) };
    this.#changed.fire();
    const { origin } = this.#options.server.url;
    throw new SignInRequiredError(
      challenge.status === 401
        ? `The user must sign in to ${origin} before this server can be used. Ask the user to sign in, and try again.`
        : `The request needs more permissions at ${origin}. Ask the user to sign in again, and try again.`,
    );
  }

  /**
   * Lets the user sign in with the browser. Call it after a click of the user only; then connect again.
   *
   * @throws UserError if it fails, or nobody signs in within 10 minutes; CancelledError
   */
  async authorize(signal: AbortSignal): Promise<void> {
    throwIfCancelled(signal);
    const { server, openExternal, externalUrl, l10n } = this.#options;
    const discovery = await discover(server.url, this.#challenge, signal);
    const scope = await this.#scopeOf(discovery);
    const [state, verifier] = [randomText(), randomText()];
    const listener = await RedirectListener.open(state, {
      done: l10n.t('Close this page and return to the editor.'),
      failed: l10n.t('Signing in failed. Close this page and try again in the editor.'),
    });
    try {
      const redirectUri = (await externalUrl?.(listener.url)) ?? listener.url;
      const client = await this.#client(discovery, redirectUri, signal);
      const source = sourceOf(discovery, client);
      const page = authorizationUrl(discovery, { source, scope, state, verifier, redirectUri });
      if ((await openExternal(page)) === false) throw new CancelledError('The browser was not opened.');
      const code = codeOf(await responseOf(listener, signal), discovery);
      const grant = await grantByCode(source, { code, verifier, redirectUri, scope }, signal);
      await this.#store.write(grant);
      this.#challenge = undefined;
      this.#use(grant);
    } finally {
      listener.close();
    }
  }

  /** Forgets the tokens. */
  async signOut(): Promise<void> {
    this.#grant = undefined;
    await this.#store.delete();
    this.#changed.fire();
  }

  /** A step-up asks for what was granted before as well: the new token replaces the old one. */
  async #scopeOf({ scopes }: Discovery): Promise<string> {
    const granted = this.#challenge?.status === 403 ? (await this.#store.read())?.scope : undefined;
    return [...new Set([...(granted?.split(' ') ?? []), ...scopes])].join(' ');
  }

  async #client(discovery: Discovery, redirectUri: string, signal: AbortSignal): Promise<OAuthClient> {
    const { server, clientSecret, clientName: name } = this.#options;
    if (server.clientId !== undefined) return knownClient(server.clientId, clientSecret, discovery);
    return await registerClient(discovery, { name, redirectUri }, signal);
  }

  #use(grant: Grant): Grant {
    this.#grant = Promise.resolve(grant);
    if (this.#challenge?.status === 401) this.#challenge = undefined;
    this.#changed.fire();
    return grant;
  }

  /** Another grant than that of this token; undefined if there is none. One request for all that wait. */
  #refresh(token: string | undefined): Promise<Grant | undefined> {
    this.#refreshing ??= this.#refreshOnce(token).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Another window may have refreshed it, before or meanwhile. */
  async #refreshOnce(token: string | undefined): Promise<Grant | undefined> {
    const grant = await this.#store.read();
    if (grant && grant.accessToken !== token) return this.#use(grant);
    if (!grant?.refreshToken) return undefined;
    const { refreshToken } = grant;
    try {
      const next = await refreshed({ ...grant, refreshToken }, new AbortController().signal);
      await this.#store.write(next);
      return this.#use(next);
    } catch (error) {
      if (!(error instanceof OAuthRefusalError)) throw error;
      const other = await this.#store.read();
      return other && other.accessToken !== token ? this.#use(other) : undefined;
    }
  }
}

const randomText = (): string => randomBytes(32).toString('base64url');

const sourceOf = ({ tokenEndpoint, resource }: Discovery, client: OAuthClient): GrantSource => ({
  tokenEndpoint: tokenEndpoint.href,
  client,
  ...(resource !== undefined && { resource }),
});
