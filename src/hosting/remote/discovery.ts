import { UserError } from '../../core/errors.ts';
import { type Fields, isObject, itemsOf } from '../../core/json.ts';
import { isLoopback } from '../names.ts';
import { OtherOriginError } from './http.ts';
import { requestJson } from './oauthRequests.ts';

/** What a server answered to a request without sufficient authorization (RFC 6750, RFC 9728). */
export interface Challenge {
  status: 401 | 403;
  /** The scopes that the request needs, separated by spaces. */
  scope?: string;
  /** Address of the protected resource metadata. */
  resourceMetadata?: string;
}

/** The challenge of a response; undefined if authorization would not help. */
export function challengeOf({ status, headers }: Response): Challenge | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const header = headers.get('www-authenticate') ?? '';
  const [error, scope, resourceMetadata] = ['error', 'scope', 'resource_metadata'].map((name) => {
    const value = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, 'i');
    const found = value.exec(header);
    return found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2];
  });
  if (status === 403 && error !== 'insufficient_scope') return undefined;
  return { status, ...(scope && { scope }), ...(resourceMetadata && { resourceMetadata }) };
}

/** Who gives out tokens for a server, and what for. */
export interface Discovery {
  issuer: string;
  authorizationEndpoint: URL;
  tokenEndpoint: URL;
  registrationEndpoint?: URL;
  /** How clients may authenticate at the token endpoint; undefined if it does not say. */
  authMethods?: readonly unknown[];
  /** Whether each authorization response names the issuer (RFC 9207). */
  namesIssuer: boolean;
  /** The server as tokens name it (RFC 8707), in its own spelling; undefined if it does not say. */
  resource?: string;
  /** To be asked for; empty for the default ones. */
  scopes: readonly string[];
}

/**
 * Finds the authorization server by the server's metadata (RFC 9728), or on the server itself (MCP 2025-03-26).
 *
 * @throws UserError if the metadata is for another server, or does not offer what a safe sign-in needs; CancelledError
 */
export async function discover(
  server: URL,
  challenge: Challenge | undefined,
  signal: AbortSignal,
): Promise<Discovery> {
  const named = challenge?.resourceMetadata;
  const resource = named
    ? await firstJson([safeUrl(named, server).href], signal)
    : await firstJson(wellKnown('oauth-protected-resource', server), signal);
  if (resource) checkResource(resource.resource, server);
  const issuer = String(itemsOf(resource?.authorization_servers)[0] ?? server.origin);
  const metadata = await firstJson(metadataLocations(safeUrl(issuer, server)), signal);
  if (!metadata && resource)
    throw new UserError(`The authorization server ${issuer} has no metadata, so signing in is not possible.`);
  return {
    ...endpointsOf(metadata ?? defaultEndpoints(server), issuer, server),
    ...(resource && { resource: String(resource.resource) }),
    scopes: scopesFor(challenge, resource, metadata),
  };
}

/** The metadata must be for the server that was asked, or a path above it. */
function checkResource(resource: unknown, server: URL): void {
  const url = typeof resource === 'string' ? URL.parse(resource) : null;
  const parent = url?.pathname.replace(/\/?$/, '/');
  if (url?.origin === server.origin && `${server.pathname}/`.startsWith(`${parent}`)) return;
  throw new UserError(
    `The metadata of the server ${server.origin} is for another server (${url?.origin ?? 'not a URL'}), so nobody can sign in.`,
  );
}

/** RFC 8414 and OpenID Connect Discovery, in the order that MCP wants. */
const metadataLocations = (issuer: URL): string[] => [
  ...wellKnown('oauth-authorization-server', issuer).slice(0, 1),
  ...wellKnown('openid-configuration', issuer).slice(0, 1),
  `${issuer.origin}${issuer.pathname.replace(/\/$/, '')}/.well-known/openid-configuration`,
];

/** The locations for a URL with and without its path. */
const wellKnown = (name: string, { origin, pathname }: URL): string[] => {
  const root = `${origin}/.well-known/${name}`;
  return [root + pathname.replace(/\/$/, ''), root];
};

/** The first JSON object at these addresses. One that leads to another origin has none, as a page that asks for a login. */
async function firstJson(addresses: readonly string[], signal: AbortSignal): Promise<Fields | undefined> {
  for (const address of new Set(addresses))
    try {
      const { isOk, value } = await requestJson(new URL(address), {}, signal);
      if (isOk && isObject(value)) return value;
    } catch (error) {
      if (!(error instanceof OtherOriginError)) throw error;
    }
  return undefined;
}

const defaultEndpoints = ({ origin }: URL): Fields => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
});

function endpointsOf(metadata: Fields, issuer: string, server: URL): Omit<Discovery, 'scopes'> {
  const { issuer: named, registration_endpoint: registration } = metadata;
  if (`${named}`.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
    throw new UserError(
      `The metadata of the authorization server ${issuer} is of another one, so nobody can sign in.`,
    );
  const pkce = metadata.code_challenge_methods_supported;
  if (pkce !== undefined && !itemsOf(pkce).includes('S256'))
    throw new UserError(
      `The authorization server ${issuer} does not offer PKCE with S256, so nobody can sign in safely.`,
    );
  const methods = metadata.token_endpoint_auth_methods_supported;
  return {
    issuer: String(named),
    authorizationEndpoint: safeUrl(metadata.authorization_endpoint, server),
    tokenEndpoint: safeUrl(metadata.token_endpoint, server),
    ...(registration !== undefined && { registrationEndpoint: safeUrl(registration, server) }),
    ...(methods !== undefined && { authMethods: itemsOf(methods) }),
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
  };
}

/** The scopes of the challenge, else all that the server has; with `offline_access` for a refresh token if that is offered. */
function scopesFor(
  challenge: Challenge | undefined,
  resource: Fields | undefined,
  metadata: Fields | undefined,
): string[] {
  const scopes = challenge?.scope?.split(' ') ?? itemsOf(resource?.scopes_supported).map(String);
  const isOffline = scopes.length > 0 && itemsOf(metadata?.scopes_supported).includes('offline_access');
  return [...new Set([...scopes, ...(isOffline ? ['offline_access'] : [])])].filter(Boolean);
}

/**
 * An address in metadata of the server.
 *
 * @param from the address of the server: only one on this machine may name others on this machine
 * @throws UserError unless it is https, or on this machine
 */
function safeUrl(text: unknown, from: URL): URL {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && isLoopback(url) && isLoopback(from)) return url;
  throw new UserError(
    `The server ${from.origin} names an address for sign-in that is not https (${url?.origin ?? 'not a URL'}), so it is not used.`,
  );
}
