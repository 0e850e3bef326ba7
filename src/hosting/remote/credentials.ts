/** What a server answered to a request without sufficient authorization (RFC 6750, RFC 9728). */
export interface Challenge {
  status: 401 | 403;
  error?: string;
  /** The scopes that the request needs, separated by spaces. */
  scope?: string;
  /** Address of the protected resource metadata. */
  resourceMetadata?: string;
}

/** The access token of a server. */
export interface Credentials {
  /** A token that has not expired; undefined if there is none. @throws UserError if it cannot be refreshed now */
  token(): Promise<string | undefined>;
  /**
   * Resolves once there is another token, with which the request is repeated.
   *
   * @param token the one that the server did not accept
   * @throws SignInRequiredError; UserError if it cannot be refreshed now
   */
  replace(token: string | undefined, challenge: Challenge): Promise<void>;
  /** @throws SignInRequiredError, and remembers the challenge: a new token was not accepted either */
  demand(challenge: Challenge): never;
}

/** The challenge of a response; undefined if authorization would not help. */
export function challengeOf({ status, headers }: Response): Challenge | undefined {
  const parameters = parametersOf(headers.get('www-authenticate') ?? '');
  if (status === 401) return { status, ...parameters };
  return status === 403 && parameters.error === 'insufficient_scope' ? { status, ...parameters } : undefined;
}

function parametersOf(header: string): Omit<Challenge, 'status'> {
  const value = (name: string) => {
    const found = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, 'i').exec(
      header,
    );
    return found && (found[1]?.replace(/\\(.)/g, '$1') ?? found[2]);
  };
  const [error, scope, resourceMetadata] = ['error', 'scope', 'resource_metadata'].map(value);
  return { ...(error && { error }), ...(scope && { scope }), ...(resourceMetadata && { resourceMetadata }) };
}
