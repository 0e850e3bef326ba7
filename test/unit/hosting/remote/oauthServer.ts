import type { ServerResponse } from 'node:http';
import { Authorization, type AuthorizationOptions } from '../../../../src/hosting/remote/authorization.ts';
import { secretStorage } from '../../../fakes/stores.ts';
import { english } from '../english.ts';
import { json, type Received, type RemoteServers } from './support.ts';

/** A server that is its own authorization server, and the user's browser. */
export class OAuthServer {
  /** Forms sent to the token endpoint. */
  readonly tokenRequests: URLSearchParams[] = [];
  /** Pages that were opened. */
  readonly opened: URL[] = [];
  readonly secrets = new Map<string, string>();
  /** Accepted access tokens. */
  readonly accepted = new Set<string>();
  /** Changes to the metadata. */
  metadata: object = {};
  /** Where the first address of the metadata redirects to. */
  metadataAt: string | undefined;
  /** What it adds to its origin for its name as an authorization server. */
  issuerPath = '';
  /** Changes to the authorization response. */
  response: Record<string, string> = {};
  /** What it calls the resource that it protects, if not its MCP endpoint. */
  resource: string | undefined;
  /** Its answer to the registration of a client. */
  client: Record<string, unknown> = { client_id: 'registered' };
  /** Changes to the answer of the token endpoint, and its status. */
  token: Record<string, unknown> = {};
  tokenStatus = 200;
  /** Its challenge to a request without an accepted token. */
  challenge = 'Bearer scope="read"';
  status = 401;
  url!: URL;
  #tokens = 0;

  async start(servers: RemoteServers): Promise<this> {
    this.url = await servers.serve((request, response) => void this.#handle(request, response));
    return this;
  }

  /** As in one window. */
  window(options: Partial<AuthorizationOptions> = {}): Authorization {
    return new Authorization({
      key: 'name',
      server: { url: this.url },
      clientName: 'test',
      secrets: secretStorage(this.secrets),
      openExternal: async (url) => this.visit(url),
      externalUrl: async (url) => url,
      l10n: english,
      ...options,
    });
  }

  /** The user signs in at once. */
  visit(url: string): void {
    const page = new URL(url);
    this.opened.push(page);
    const { searchParams: asked } = page;
    const back = new URL(`${asked.get('redirect_uri')}`);
    const answer = { state: `${asked.get('state')}`, code: 'the code', ...this.response };
    for (const [name, value] of Object.entries(answer)) if (value) back.searchParams.set(name, value);
    void fetch(back);
  }

  #handle({ method, path, headers, body, message }: Received, response: ServerResponse): unknown {
    const { origin } = this.url;
    if (path === '/.well-known/oauth-protected-resource/mcp')
      return json(response, {
        resource: this.resource ?? `${origin}/mcp`,
        authorization_servers: [origin + this.issuerPath],
      });
    if (path === '/.well-known/oauth-authorization-server' && this.metadataAt)
      return response.writeHead(302, { location: this.metadataAt }).end();
    if (path.startsWith('/.well-known/o'))
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ['S256'],
        ...this.metadata,
      });
    if (path === '/register') return json(response, this.client);
    if (path === '/token') return this.#sendToken(new URLSearchParams(body), response);
    if (path !== '/mcp' || method === 'GET') return response.writeHead(404).end();
    if (!this.accepted.has(`${headers.authorization}`.replace('Bearer ', '')))
      return response.writeHead(this.status, { 'www-authenticate': this.challenge }).end();
    const result = { protocolVersion: '2025-11-25', capabilities: {} };
    if (message.method === 'server/discover') return response.writeHead(400).end();
    if (message.id === undefined) return response.writeHead(202).end();
    return json(response, { jsonrpc: '2.0', id: message.id, result });
  }

  #sendToken(form: URLSearchParams, response: ServerResponse): unknown {
    this.tokenRequests.push(form);
    const token = `secret-${++this.#tokens}`;
    this.accepted.add(token);
    const answer = {
      access_token: token,
      token_type: 'bearer',
      refresh_token: `refresh-${token}`,
      ...this.token,
    };
    response.writeHead(this.tokenStatus, this.tokenStatus === 401 ? { 'www-authenticate': 'Basic' } : {});
    return response.end(JSON.stringify(answer));
  }
}
