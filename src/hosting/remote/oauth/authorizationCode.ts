import { createHash } from 'node:crypto';
import { CancelledError, UserError } from '../../../core/errors.ts';
import { timeout } from '../../../util/clock.ts';
import { unlessAborted } from '../../../util/deadline.ts';
import type { Discovery } from './discovery.ts';
import type { GrantSource } from './grant.ts';
import type { RedirectListener } from './redirectListener.ts';

/** Time that the user has to sign in, in milliseconds. */
const PATIENCE = 10 * 60_000;

interface AuthorizationRequest {
  source: GrantSource;
  scope: string;
  state: string;
  verifier: string;
  redirectUri: string;
}

/** The page at which the user signs in (RFC 6749, PKCE, RFC 8707). */
export function authorizationUrl(
  { authorizationEndpoint }: Discovery,
  request: AuthorizationRequest,
): string {
  const { source, scope, state, verifier, redirectUri } = request;
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: source.client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(source.resource && { resource: source.resource }),
    ...(scope && { scope }),
    ...(scope.split(' ').includes('offline_access') && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The authorization response. @throws UserError after 10 minutes; CancelledError */
export async function responseOf(listener: RedirectListener, signal: AbortSignal): Promise<URLSearchParams> {
  const limit = timeout(PATIENCE);
  const found = await unlessAborted(listener.response, AbortSignal.any([signal, limit]));
  if (found) return found;
  if (signal.aborted) throw new CancelledError('Signing in was cancelled.');
  throw new UserError('Nobody signed in within 10 minutes. Try again.');
}

/** The code of an authorization response. @throws UserError if another server sent it (RFC 9207), or it is a refusal */
export function codeOf(response: URLSearchParams, { issuer, namesIssuer }: Discovery): string {
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
