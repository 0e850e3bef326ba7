import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, parsedJson } from '../../core/json.ts';
import { timeout } from '../../util/clock.ts';
import { fetchWithinOrigin, readUpTo } from './http.ts';

/** Longest answer, in bytes, and longest wait for it, in milliseconds. */
const ANSWER_BYTES = 1024 * 1024;
const ANSWER_TIMEOUT_MS = 30_000;

/** What the user granted by signing in. Secret as a whole. */
export interface TokenGrant {
  accessToken: string;
  refreshToken?: string;
  /** Milliseconds since 1970. */
  expiresAt?: number;
  /** Granted scopes, separated by spaces. */
  scope?: string;
  /** Where it came from, to refresh it. */
  source: GrantSource;
}

interface GrantSource {
  tokenEndpoint: string;
  client: OAuthClient;
  /** As tokens name the server (RFC 8707). */
  resource?: string;
}

/** The extension as an authorization server knows it. */
export interface OAuthClient {
  id: string;
  secret?: string;
  method: 'none' | 'client_secret_basic' | 'client_secret_post';
}

/** @param methods of authentication that the authorization server offers; undefined if it does not say */
export const clientOf = (
  id: string,
  secret: unknown,
  methods: readonly unknown[] | undefined,
): OAuthClient =>
  typeof secret === 'string' ? { id, secret, method: methodWithSecret(methods) } : { id, method: 'none' };

const methodWithSecret = (methods: readonly unknown[] | undefined): OAuthClient['method'] =>
  methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ? 'client_secret_post'
    : 'client_secret_basic';

/** The authorization server refused a request (RFC 6749, section 5.2): trying again does not help. */
export class OAuthRefusalError extends UserError {
  override name = 'OAuthRefusalError';
}

interface ClientRegistration {
  /** Shown to the user. */
  name: string;
  redirectUri: string;
  methods: readonly unknown[] | undefined;
}

/**
 * Registers a client (RFC 7591); undefined if the answer names none.
 *
 * @throws OAuthRefusalError; UserError of the network or server; CancelledError
 */
export async function registerClient(
  endpoint: URL,
  { name, redirectUri, methods }: ClientRegistration,
  signal: AbortSignal,
): Promise<OAuthClient | undefined> {
  const isPublic = !methods || methods.includes('none');
  const body = JSON.stringify({
    client_name: name,
    application_type: 'native',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: isPublic ? 'none' : methodWithSecret(methods),
  });
  const answer = await post(endpoint, { body, headers: { 'content-type': 'application/json' } }, signal);
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = answer;
  if (typeof id !== 'string') return undefined;
  if (method === 'none') return { id, method };
  return clientOf(id, secret, method === 'client_secret_post' ? [method] : methods);
}

/** @throws OAuthRefusalError; UserError of the network or server; CancelledError */
export async function refreshed(
  { refreshToken = '', scope, source }: TokenGrant,
  signal: AbortSignal,
): Promise<TokenGrant> {
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return await requestGrant(source, fields, { refreshToken, ...(scope && { scope }) }, signal);
}

/**
 * Asks the token endpoint.
 *
 * @param fields of the request, except the client and the server
 * @param kept for what the answer does not say
 * @throws OAuthRefusalError; UserError, also for a token that is no bearer token; CancelledError
 */
export async function requestGrant(
  source: GrantSource,
  fields: Record<string, string>,
  kept: Pick<TokenGrant, 'refreshToken' | 'scope'>,
  signal: AbortSignal,
): Promise<TokenGrant> {
  const { tokenEndpoint, client, resource } = source;
  const { id, secret = '', method } = client;
  const body = new URLSearchParams({ ...fields, ...(resource && { resource }) });
  if (method !== 'client_secret_basic') body.set('client_id', id);
  if (method === 'client_secret_post') body.set('client_secret', secret);
  const basic = Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64');
  const headers = method === 'client_secret_basic' ? { authorization: `Basic ${basic}` } : {};
  const answer = await post(new URL(tokenEndpoint), { body, headers }, signal);
  const { access_token: token, refresh_token: refresh, expires_in: seconds, scope } = answer;
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token) || !/^bearer$/i.test(`${answer.token_type}`))
    throw new UserError('The authorization server did not send a bearer token, which MCP needs.');
  return {
    ...kept,
    source,
    accessToken: token,
    ...(typeof refresh === 'string' && { refreshToken: refresh }),
    ...(Number(seconds) > 0 && { expiresAt: Date.now() + Number(seconds) * 1000 }),
    ...(typeof scope === 'string' && { scope }),
  };
}

async function post(
  url: URL,
  init: { body: URLSearchParams | string; headers: Record<string, string> },
  signal: AbortSignal,
): Promise<Fields> {
  const { status, isOk, value } = await requestJson(url, { method: 'POST', ...init }, signal);
  const answer = fieldsOf(value);
  // Some servers send errors with the status 200.
  if (isOk && answer.error === undefined) return answer;
  const reason = [answer.error ?? `HTTP ${status}`, answer.error_description].filter(Boolean).join(': ');
  const message = `The authorization server ${url.origin} refused the request: ${reason}`;
  if (status < 500) throw new OAuthRefusalError(message);
  throw new UserError(`${message}. Try again later.`);
}

/**
 * Sends a request for JSON.
 *
 * @returns the value of the answer, undefined if that is not JSON; whether its status is 2xx
 * @throws OtherOriginError; UserError of the network; CancelledError
 */
export async function requestJson(
  url: URL,
  init: { method?: 'POST'; body?: URLSearchParams | string; headers?: Record<string, string> },
  signal: AbortSignal,
): Promise<{ status: number; isOk: boolean; value: unknown }> {
  const headers = { accept: 'application/json', ...init.headers };
  const limited = AbortSignal.any([signal, timeout(ANSWER_TIMEOUT_MS)]);
  const response = await fetchWithinOrigin(url, { ...init, headers, signal: limited });
  const text = await readUpTo(ANSWER_BYTES, response).catch(() => {
    throw new UserError(
      `The answer of the authorization server ${url.origin} could not be read. Try again later.`,
    );
  });
  return { status: response.status, isOk: response.ok, value: parsedJson(text) };
}
