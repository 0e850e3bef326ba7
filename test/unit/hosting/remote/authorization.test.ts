import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { SignInRequiredError } from '../../../../src/hosting/connection/negotiate.ts';
import { OAuthServer } from './oauthServer.ts';
import { RemoteServers } from './support.ts';

describe('hosting/remote/authorization: Authorization', () => {
  const { signal } = new AbortController();
  let servers: RemoteServers;
  let server: OAuthServer;
  beforeEach(async () => {
    servers = new RemoteServers();
    server = await new OAuthServer().start(servers);
  });
  afterEach(() => servers.dispose());

  async function signedIn() {
    const authorization = server.window();
    await authorization.authorize(signal);
    return authorization;
  }

  it('opens no browser until the user wants to sign in; then the server can be used', async () => {
    const authorization = server.window();
    await assert.rejects(servers.connect(server.url, { authorization }), SignInRequiredError);
    assert.ok(authorization.isRequired);
    assert.equal(server.opened.length, 0);
    await authorization.authorize(signal);
    assert.ok(!authorization.isRequired);
    await servers.connect(server.url, { authorization });
    const another = server.window();
    await servers.connect(server.url, { authorization: another });
    assert.equal(server.opened.length, 1);
  });

  it('proves with PKCE, state and resource that the request is its own', async () => {
    await server.window().authorize(signal);
    const { searchParams: asked } = server.opened[0] ?? assert.fail();
    const [form] = server.tokenRequests;
    assert.equal(asked.get('code_challenge_method'), 'S256');
    const verifier = `${form?.get('code_verifier')}`;
    assert.equal(asked.get('code_challenge'), createHash('sha256').update(verifier).digest('base64url'));
    for (const sent of [asked, form]) {
      assert.equal(sent?.get('resource'), server.url.href);
      assert.match(`${sent?.get('redirect_uri')}`, /^http:\/\/127\.0\.0\.1:\d+\/$/);
      assert.equal(sent?.get('client_id'), 'registered');
    }
  });

  it('uses the client of the definition, with its secret', async () => {
    await server
      .window({ server: { url: server.url, clientId: 'mine' }, clientSecret: 'a:b' })
      .authorize(signal);
    assert.ok(!servers.received.some(({ path }) => path === '/register'));
    const { headers } = servers.received.find(({ path }) => path === '/token') ?? assert.fail();
    assert.equal(headers.authorization, `Basic ${Buffer.from('mine:a%3Ab').toString('base64')}`);
  });

  it('refreshes a token once for all requests that wait, and for other windows', async () => {
    const authorization = await signedIn();
    const other = server.window();
    const { client } = await servers.connect(server.url, { authorization });
    const { client: second } = await servers.connect(server.url, { authorization: other });
    for (const each of [client, second]) await each.request('tools/list'); // then they have sent all of the handshake
    server.accepted.clear();
    await Promise.all([1, 2, 3].map(() => client.request('tools/list')));
    await second.request('tools/list');
    const grantTypes = server.tokenRequests.map((form) => form.get('grant_type'));
    assert.deepEqual(grantTypes, ['authorization_code', 'refresh_token']);
  });

  it('refreshes a token before it expires, and asks the user again if that is refused', async () => {
    server.token = { expires_in: 1 };
    const authorization = await signedIn();
    assert.equal(await authorization.token(), 'secret-2');
    assert.equal(server.tokenRequests[1]?.get('refresh_token'), 'refresh-secret-1');
    const { client } = await servers.connect(server.url, { authorization });
    server.accepted.clear();
    server.token = { error: 'invalid_grant' };
    await assert.rejects(client.request('tools/list'), SignInRequiredError);
    assert.ok(authorization.isRequired);
    await authorization.signOut();
    assert.equal(server.secrets.size, 0);
  });

  it('asks for more permissions together with those it has', async () => {
    const authorization = server.window();
    await assert.rejects(servers.connect(server.url, { authorization }), SignInRequiredError);
    await authorization.authorize(signal);
    const { client } = await servers.connect(server.url, { authorization });
    server.accepted.clear();
    server.status = 403;
    server.challenge = 'Bearer error="insufficient_scope", scope="write"';
    await assert.rejects(client.request('tools/call'), /more permissions/);
    await authorization.authorize(signal);
    const scopes = server.opened.map(({ searchParams }) => searchParams.get('scope'));
    assert.deepEqual(scopes, ['read', 'read write']);
    await client.request('tools/call');
  });

  const refused: [Partial<OAuthServer>, RegExp][] = [
    [{ metadata: { code_challenge_methods_supported: ['plain'] } }, /does not offer PKCE with S256/],
    [{ metadata: { issuer: 'https://other.invalid' } }, /is of another one/],
    [{ issuerPath: '//:/' }, /is of another one/],
    [
      { metadata: { authorization_endpoint: 'http://other.invalid/authorize' } },
      /not https \(http:\/\/other.invalid\)/,
    ],
    [{ metadata: { authorization_endpoint: 'file:///bin/sh' } }, /not https/],
    [{ response: { iss: 'https://other.invalid' } }, /not from the authorization/],
    [{ response: { code: '', error: 'access_denied' } }, /did not let you sign in: access_denied/],
    [{ token: { token_type: 'DPoP' } }, /bearer token/],
  ];
  it('does not accept what would send the user or the token elsewhere', async () => {
    for (const [changes, message] of refused) {
      const changed = Object.assign(await new OAuthServer().start(servers), changes);
      await assert.rejects(changed.window().authorize(signal), message);
      assert.equal(changed.secrets.size, 0);
    }
  });

  const accepted: ((server: OAuthServer) => Partial<OAuthServer>)[] = [
    () => ({ issuerPath: '/' }),
    ({ url }) => ({ issuerPath: '/tenant', metadata: { issuer: `${url.origin}/tenant/` } }),
    ({ url }) => ({ resource: url.origin }),
    () => ({ metadata: { code_challenge_methods_supported: undefined } }),
    () => ({ client: { client_id: 'registered', client_secret: null, client_id_issued_at: 'now' } }),
    () => ({ token: { refresh_token: null, expires_in: null, scope: null, id_token: 'a.b.c' } }),
    () => ({ token: { token_type: 'Bearer', expires_in: '3600', id_token: '' }, tokenStatus: 201 }),
  ];
  it('accepts servers that are slightly wrong', async () => {
    for (const changes of accepted) {
      const changed = await new OAuthServer().start(servers);
      const authorization = Object.assign(changed, changes(changed)).window();
      await authorization.authorize(signal);
      assert.equal(await authorization.token(), 'secret-1');
    }
  });

  it('uses a registered secret that has no end, as servers want it that decode nothing', async () => {
    server.client = { client_id: 'client-1.a', client_secret: 'b_~' };
    await server.window().authorize(signal);
    const { headers } = servers.received.find(({ path }) => path === '/token') ?? assert.fail();
    assert.equal(headers.authorization, `Basic ${Buffer.from('client-1.a:b_~').toString('base64')}`);
  });

  it('asks the user again, however the server says that it refuses a refresh', async () => {
    for (const [tokenStatus, token] of [
      [200, { error: 'invalid_grant' }],
      [401, { error: 'invalid_client' }],
      [404, {}],
    ] as const) {
      const authorization = await signedIn();
      Object.assign(server, { tokenStatus, token });
      const replaced = authorization.replace(await authorization.token(), { status: 401 });
      await assert.rejects(replaced, SignInRequiredError);
      Object.assign(server, { tokenStatus: 200, token: {} });
    }
    const authorization = await signedIn();
    server.tokenStatus = 503;
    const refused = authorization.replace(await authorization.token(), { status: 401 });
    await assert.rejects(refused, /HTTP 503\. Try again later/);
  });

  it('looks for metadata at the next address if one leads to another origin', async () => {
    server.metadataAt = 'https://login.invalid/';
    await server.window().authorize(signal);
    assert.ok(servers.received.some(({ path }) => path === '/.well-known/openid-configuration'));
  });

  it('ignores a response with another state or path, and ends without a browser or when it is cancelled', async () => {
    server.response = { state: 'forged' };
    const abort = new AbortController();
    const statuses: (number | undefined)[] = [];
    const openExternal = async (page: string) => {
      const port = new URL(`${new URL(page).searchParams.get('redirect_uri')}`).port;
      for (const path of ['/?state=forged&code=1', '//', '//:/?state=1', 'http://']) {
        const [response] = await once(get({ port, path }), 'response');
        statuses.push(response.resume().statusCode);
      }
      return false;
    };
    const cancelled = { name: 'CancelledError' };
    await assert.rejects(server.window({ openExternal }).authorize(signal), cancelled);
    assert.deepEqual(statuses, [404, 404, 404, 404]);
    const aborts = async () => abort.abort();
    await assert.rejects(server.window({ openExternal: aborts }).authorize(abort.signal), cancelled);
    assert.equal(server.tokenRequests.length, 0);
  });

  it('never sends a token instead of the Authorization header of the definition', async () => {
    const authorization = await signedIn();
    const failed = servers.connect(server.url, {
      authorization,
      headers: { Authorization: 'Bearer own-secret' },
    });
    await assert.rejects(failed, ({ message }: Error) => {
      assert.match(message, /Check the Authorization header/);
      return !message.includes('own-secret');
    });
    const sent = servers.received
      .filter(({ path }) => path === '/mcp')
      .map(({ headers }) => headers.authorization);
    assert.ok(sent.every((header) => header === 'Bearer own-secret'));
  });
});
