import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CancelledError, UserError } from '../../core/errors.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import type { L10n } from '../config/problems.ts';
import type { ResolvedRemote } from '../config/resolve/resolved.ts';
import type { Discovery } from './discovery.ts';
import {
  clientOf,
  type OAuthClient,
  registerClient,
  requestGrant,
  type TokenGrant,
} from './oauthRequests.ts';

/** Time that the user has to sign in, in milliseconds. */
const SIGN_IN_MS = 10 * 60_000;

export interface Browser {
  /** Opens the user's browser. Resolves to false if the user did not want that, as `env.openExternal`. */
  openExternal(url: string): PromiseLike<unknown>;
  /** The address by which the user's browser reaches one of this machine, as `asExternalUri`. */
  externalUrl(url: string): PromiseLike<string>;
}

export interface SignInOptions extends Browser {
  server: Pick<ResolvedRemote, 'clientId'>;
  /** The secret of the client that `server.clientId` names, if it has one. */
  clientSecret?: string;
  /** Shown by the authorization server, as in "Workspace MCP". */
  clientName: string;
  l10n: L10n;
}

/**
 * Lets the user sign in with the browser (RFC 6749 with PKCE, RFC 8707).
 *
 * @param scope to be asked for, separated by spaces; empty for the default one
 * @throws OAuthRefusalError; UserError, also after 10 minutes; CancelledError
 */
export async function signIn(
  discovery: Discovery,
  scope: string,
  options: SignInOptions,
  signal: AbortSignal,
): Promise<TokenGrant> {
  const { tokenEndpoint, resource } = discovery;
  const { openExternal, externalUrl, l10n } = options;
  const [state, verifier] = [0, 1].map(() => randomBytes(32).toString('base64url')) as [string, string];
  const redirect = await listenForRedirect(state, l10n);
  try {
    const redirectUri = await externalUrl(redirect.url);
    const client = await clientFor(discovery, redirectUri, options, signal);
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const own = { client_id: client.id, redirect_uri: redirectUri, state, code_challenge };
    if ((await openExternal(pageOf(discovery, scope, own))) === false)
      throw new CancelledError('The browser was not opened.');
    const response = await unlessAborted(redirect.response, AbortSignal.any([signal, timeout(SIGN_IN_MS)]));
    if (signal.aborted) throw new CancelledError('Signing in was cancelled.');
    if (!response) throw new UserError('Nobody signed in within 10 minutes. Try again.');
    const fields = {
      grant_type: 'authorization_code',
      code: codeOf(response, discovery),
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
    const source = { tokenEndpoint: tokenEndpoint.href, client, ...(resource && { resource }) };
    return await requestGrant(source, fields, scope ? { scope } : {}, signal);
  } finally {
    redirect.close();
  }
}

/** The client that the user registered, or a new one. */
async function clientFor(
  { issuer, registrationEndpoint, authMethods: methods }: Discovery,
  redirectUri: string,
  { server, clientSecret, clientName: name }: SignInOptions,
  signal: AbortSignal,
): Promise<OAuthClient> {
  if (server.clientId !== undefined) return clientOf(server.clientId, clientSecret, methods);
  if (!registrationEndpoint)
    throw new UserError(
      `The authorization server ${issuer} does not register clients automatically. Register one there, with http://127.0.0.1/ and any port as its redirect URI, and set "oauth": { "clientId": … } in the server's definition.`,
    );
  const client = await registerClient(registrationEndpoint, { name, redirectUri, methods }, signal);
  if (!client) throw new UserError(`The authorization server ${issuer} registered no client.`);
  return client;
}

/** The page at which the user signs in. @param own parameters of this sign-in */
function pageOf(
  { authorizationEndpoint, resource }: Discovery,
  scope: string,
  own: Record<string, string>,
): string {
  const page = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    ...own,
    code_challenge_method: 'S256',
    ...(resource && { resource }),
    ...(scope && { scope }),
    ...(scope.split(' ').includes('offline_access') && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
  return page.href;
}

/** Any: a request names only its path. */
const LOOPBACK_ORIGIN = 'http://127.0.0.1';

/**
 * Waits on this machine for the browser to come back from the authorization server (RFC 8252, section 7.3), at a port that the system
 * chooses.
 *
 * @param state requests with another one are refused
 */
async function listenForRedirect(state: string, l10n: L10n) {
  const { promise: response, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer(({ method, url = '' }, answer) => {
    const { pathname, searchParams } = URL.parse(url, LOOPBACK_ORIGIN) ?? new URL('/no-url', LOOPBACK_ORIGIN); // as in "GET //"
    const isOurs = method === 'GET' && pathname === '/' && searchParams.get('state') === state;
    answer.writeHead(isOurs ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    });
    const text =
      isOurs && searchParams.has('code')
        ? l10n.t('Close this page and return to the editor.')
        : l10n.t('Signing in failed. Close this page and try again in the editor.');
    answer.end(text, () => isOurs && resolve(searchParams));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    server.close();
    server.closeIdleConnections();
  };
  return { url: `${LOOPBACK_ORIGIN}:${(server.address() as AddressInfo).port}/`, response, close };
}

/** The code of an authorization response. @throws UserError if another server sent it (RFC 9207), or it is a refusal */
function codeOf(response: URLSearchParams, { issuer, namesIssuer }: Discovery): string {
  const named = response.get('iss');
  if (named === null ? namesIssuer : named !== issuer)
    throw new UserError(
      `The answer of the browser is not from the authorization server ${issuer}, so it was not used.`,
    );
  const code = response.get('code');
  if (code !== null) return code;
  const reason = [response.get('error'), response.get('error_description')].filter(Boolean).join(': ');
  throw new UserError(`The authorization server ${issuer} did not let you sign in: ${reason}`);
}
