import { UserError } from '../../../core/errors.ts';
import type { Fields } from '../../../core/json.ts';
import type { OAuthClient } from './oauthClient.ts';
import { post } from './oauthHttp.ts';

/** What the user granted by signing in. Secret as a whole. */
export interface Grant {
  accessToken: string;
  refreshToken?: string;
  /** Milliseconds since 1970. */
  expiresAt?: number;
  /** Granted scopes, separated by spaces. */
  scope?: string;
  /** Where it came from, to refresh it. */
  source: GrantSource;
}

export interface GrantSource {
  tokenEndpoint: string;
  client: OAuthClient;
  resource?: string;
}

/** Exchanges an authorization code. @throws OAuthRefusalError; UserError; CancelledError */
export async function grantByCode(
  source: GrantSource,
  {
    code,
    verifier,
    redirectUri,
    scope,
  }: { code: string; verifier: string; redirectUri: string; scope: string },
  signal: AbortSignal,
): Promise<Grant> {
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  };
  return grantOf(await requestToken(source, fields, signal), { ...(scope && { scope }), source });
}

/** @throws OAuthRefusalError; UserError of the network; CancelledError */
export async function refreshed(
  grant: Grant & { refreshToken: string },
  signal: AbortSignal,
): Promise<Grant> {
  const { refreshToken, scope, source } = grant;
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return grantOf(await requestToken(source, fields, signal), {
    refreshToken,
    ...(scope && { scope }),
    source,
  });
}

async function requestToken(
  { tokenEndpoint, client, resource }: GrantSource,
  fields: Record<string, string>,
  signal: AbortSignal,
): Promise<Fields> {
  const { id, secret = '', method } = client;
  const body = new URLSearchParams({ ...fields, ...(resource && { resource }) });
  if (method !== 'client_secret_basic') body.set('client_id', id);
  if (method === 'client_secret_post') body.set('client_secret', secret);
  const basic = Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64');
  const headers = method === 'client_secret_basic' ? { authorization: `Basic ${basic}` } : {};
  return await post(new URL(tokenEndpoint), { body, headers }, signal);
}

/** @param kept for what the answer does not say */
function grantOf(answer: Fields, kept: Omit<Grant, 'accessToken'>): Grant {
  const {
    access_token: token,
    token_type: type,
    refresh_token: refresh,
    expires_in: seconds,
    scope,
  } = answer;
  if (typeof token !== 'string' || !/^[\u0021-\u007e]+$/.test(token) || !/^bearer$/i.test(`${type}`))
    throw new UserError('The authorization server did not send a bearer token, which MCP needs.');
  return {
    ...kept,
    accessToken: token,
    ...(typeof refresh === 'string' && { refreshToken: refresh }),
    ...(Number(seconds) > 0 && { expiresAt: Date.now() + Number(seconds) * 1000 }),
    ...(typeof scope === 'string' && { scope }),
  };
}
