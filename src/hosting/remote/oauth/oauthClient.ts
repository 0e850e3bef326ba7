import { UserError } from '../../../core/errors.ts';
import type { Discovery } from './discovery.ts';
import { post } from './oauthHttp.ts';

/** The extension as an authorization server knows it. */
export interface OAuthClient {
  id: string;
  secret?: string;
  /** How it authenticates at the token endpoint. */
  method: 'none' | 'client_secret_basic' | 'client_secret_post';
}

/** A client that the user registered. */
export const knownClient = (
  id: string,
  secret: string | undefined,
  { authMethods }: Discovery,
): OAuthClient => ({
  id,
  ...(secret === undefined ? { method: 'none' } : { secret, method: methodWithSecret(authMethods) }),
});

/** Registers a client (RFC 7591). @throws UserError */
export async function registerClient(
  { issuer, registrationEndpoint, authMethods }: Discovery,
  { name, redirectUri }: { name: string; redirectUri: string },
  signal: AbortSignal,
): Promise<OAuthClient> {
  if (!registrationEndpoint)
    throw new UserError(
      `The authorization server ${issuer} does not register clients automatically. Register one there, with http://127.0.0.1/ and any port as its redirect URI, and set "oauth": { "clientId": … } in the server's definition.`,
    );
  const isPublic = !authMethods || authMethods.includes('none');
  const body = JSON.stringify({
    client_name: name,
    application_type: 'native',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: isPublic ? 'none' : methodWithSecret(authMethods),
  });
  const answer = await post(registrationEndpoint, { body }, signal);
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = answer;
  if (typeof id !== 'string') throw new UserError(`The authorization server ${issuer} registered no client.`);
  if (typeof secret !== 'string' || method === 'none') return { id, method: 'none' };
  const chosen = method === 'client_secret_post' ? method : undefined;
  return { id, secret, method: chosen ?? methodWithSecret(authMethods) };
}

const methodWithSecret = (methods: readonly unknown[] | undefined): OAuthClient['method'] =>
  methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ? 'client_secret_post'
    : 'client_secret_basic';
