import { throwIfCancelled } from '../../core/errors.ts';
import { isObject, parsedJson } from '../../core/json.ts';
import { Emitter } from '../../util/events.ts';
import type { Secrets } from '../config/keptSecrets.ts';
import type { ResolvedRemote } from '../config/resolve/resolved.ts';
import { SignInRequiredError } from '../connection/negotiate.ts';
import { type Challenge, discover } from './discovery.ts';
import { OAuthRefusalError, refreshed, type TokenGrant } from './oauthRequests.ts';
import { type SignInOptions, signIn } from './signIn.ts';

/** A token is refreshed this long before it expires, in milliseconds. */
const REFRESH_EARLY_MS = 30_000;

export interface AuthorizationOptions extends SignInOptions {
  /** Distinguishes servers of the same origin in the secret storage, which all windows share. */
  key: string;
  server: Pick<ResolvedRemote, 'url' | 'clientId'>;
  secrets: Secrets;
}

/** The user's sign-in at one server (OAuth 2.1, as in MCP's authorization). Keep one for each server, over all connections. */
export class Authorization {
  readonly #options: AuthorizationOptions;
  /** In the secret storage. A grant is never used for another origin. */
  readonly #key: string;
  /** When `isRequired` changes, and when the user has signed in again or out. */
  readonly changed = new Emitter<void>();
  #grant: Promise<TokenGrant | undefined> | undefined;
  #refreshing: Promise<TokenGrant | undefined> | undefined;
  #challenge: Challenge | undefined;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.#key = `oauth ${JSON.stringify([options.key, options.server.url.origin])}`;
  }

  /** Whether the server refused the last request until the user signs in. */
  get isRequired(): boolean {
    return this.#challenge !== undefined;
  }

  /** A token that has not expired; undefined if there is none. @throws UserError if it cannot be refreshed now */
  async token(): Promise<string | undefined> {
    this.#grant ??= this.#read();
    const grant = await this.#grant;
    if (!grant?.refreshToken || !grant.expiresAt || Date.now() < grant.expiresAt - REFRESH_EARLY_MS)
      return grant?.accessToken;
    return (await this.#refresh(grant.accessToken))?.accessToken ?? grant.accessToken;
  }

  /**
   * Resolves once there is another token, with which the request is repeated.
   *
   * @param token the one that the server did not accept
   * @throws SignInRequiredError; UserError if it cannot be refreshed now
   */
  async replace(token: string | undefined, challenge: Challenge): Promise<void> {
    const grant = challenge.status === 401 && (await this.#refresh(token));
    if (!grant) this.demand(challenge);
  }

  /** @throws SignInRequiredError, and remembers the challenge: a new token was not accepted either */
  demand(challenge: Challenge): never {
    const scopes = [this.#challenge?.status === 403 && this.#challenge.scope, challenge.scope];
    const scope = scopes.filter(Boolean).join(' ');
    this.#challenge = { ...challenge, ...(scope && { scope }) };
    this.changed.fire();
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
    const discovery = await discover(this.#options.server.url, this.#challenge, signal);
    // A step-up asks for what was granted before as well: the new token replaces the old one.
    const granted = this.#challenge?.status === 403 ? (await this.#read())?.scope : undefined;
    const scopes = new Set([...(granted?.split(' ') ?? []), ...discovery.scopes]);
    const grant = await signIn(discovery, [...scopes].join(' '), this.#options, signal);
    await this.#write(grant);
    this.#challenge = undefined;
    this.#use(grant);
  }

  async signOut(): Promise<void> {
    this.#grant = undefined;
    await this.#options.secrets.delete(this.#key);
    this.changed.fire();
  }

  #use(grant: TokenGrant): TokenGrant {
    this.#grant = Promise.resolve(grant);
    if (this.#challenge?.status === 401) this.#challenge = undefined;
    this.changed.fire();
    return grant;
  }

  /** Another grant than that of this token; undefined if there is none. One request for all that wait. */
  #refresh(token: string | undefined): Promise<TokenGrant | undefined> {
    this.#refreshing ??= this.#refreshOnce(token).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Another window may have refreshed it, before or meanwhile. */
  async #refreshOnce(token: string | undefined): Promise<TokenGrant | undefined> {
    const grant = await this.#read();
    if (grant && grant.accessToken !== token) return this.#use(grant);
    if (!grant?.refreshToken) return undefined;
    try {
      const next = await refreshed(grant, new AbortController().signal);
      await this.#write(next);
      return this.#use(next);
    } catch (error) {
      if (!(error instanceof OAuthRefusalError)) throw error;
      const other = await this.#read();
      return other && other.accessToken !== token ? this.#use(other) : undefined;
    }
  }

  async #read(): Promise<TokenGrant | undefined> {
    const value = parsedJson((await this.#options.secrets.get(this.#key)) ?? '');
    return isObject(value) ? (value as unknown as TokenGrant) : undefined;
  }

  async #write(grant: TokenGrant): Promise<void> {
    await this.#options.secrets.store(this.#key, JSON.stringify(grant));
  }
}
