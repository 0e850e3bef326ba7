/** What HTTP has and lines have not: headers, sessions, streams that go on elsewhere, and whoever else is on the machine. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { HttpOptions } from '../../../src/server/http/httpServer.ts';
import { type TestWindow, until, useMachine } from '../harness.ts';
import type { Message } from '../rawClient.ts';
import { AUTHORIZED, HttpClient, readEvents, WebSocketClient } from './rawClients.ts';

const BOTH = 'application/json, text/event-stream';
/** A notification, if it has no id. */
const message = (method: string, params: object, id?: unknown) => ({ jsonrpc: '2.0', id, method, params });
const clientInfo = { name: 'by hand', version: '1' };
const INITIALIZE = message('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 1);
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const PONG = '{"jsonrpc":"2.0","id":1,"result":{}}';
const MODERN = { 'MCP-Protocol-Version': '2026-07-28' };

describe('HTTP', () => {
  const machine = useMachine();
  let window: TestWindow;
  let port: number;
  let owners: { id: string; name: string; token: string }[];

  async function serve(options: Partial<HttpOptions> = {}) {
    window = await machine.open({ trees: { ws: { 'a.txt': 'hello\n' } } });
    owners = [
      { id: '1', name: 'HTTP client', token: 'secret' },
      { id: '2', name: 'Other client', token: 'other' },
    ];
    const server = await window.serveHttp({ owners: () => owners, ...options });
    ({ port } = server);
    return server;
  }

  const post = (
    message: unknown,
    headers: Record<string, string> = {},
    path = '/mcp',
    signal?: AbortSignal,
  ) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'Content-Type': 'application/json', ...headers },
      body: typeof message === 'string' ? message : JSON.stringify(message),
      ...(signal && { signal }),
    });
  const call = (name: string, args: object, id: unknown = 1) =>
    message('tools/call', { name, arguments: args }, id);
  const read = (id: unknown = 1) => call('read_file', { path: 'a.txt' }, id);
  const begin = async (more: object = {}) => {
    const params = { ...INITIALIZE.params, ...more };
    const response = await post({ ...INITIALIZE, params }, { Accept: BOTH });
    assert.equal(response.status, 200);
    await response.text();
    return { 'Mcp-Session-Id': response.headers.get('Mcp-Session-Id') ?? '', Accept: BOTH };
  };
  const open = (headers: Record<string, string>, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}/mcp`, { method, headers: { ...AUTHORIZED, ...headers } });
  const isError = async (response: Response, status: number, code: number, pattern = /./) => {
    const { error } = (await response.json()) as Message;
    assert.deepEqual([response.status, error.code], [status, code], error.message);
    assert.match(error.message, pattern);
  };

  it('answers one POST on its own, without a session, as JSON', async () => {
    await serve();
    const response = await post(read());
    assert.equal(response.headers.get('Content-Type'), 'application/json');
    const { id, result } = (await response.json()) as Message;
    assert.deepEqual([id, result.content[0].text], [1, 'hello\n']);
    assert.equal(response.headers.get('Mcp-Session-Id'), null);
    assert.equal(window.agents[0]?.name, 'HTTP client');
  });

  it('answers each of two clients of one token that count alike', async () => {
    await serve();
    const answers = await Promise.all(
      ['a.txt', 'none', 'a.txt'].map((path) => post(call('read_file', { path }))),
    );
    const texts = await Promise.all(
      answers.map(async (one) => ((await one.json()) as Message).result.content[0].text),
    );
    assert.deepEqual([texts[0], texts[2]], ['hello\n', 'hello\n']);
    assert.match(texts[1], /none/);
  });

  it('answers each POST on its own: batches, ids that come again, and those that are cancelled', async () => {
    await serve();
    const batch = (await (
      await post([read('a'), read('b'), { jsonrpc: '2.0', method: 'none' }, { jsonrpc: '2.0', id: 'c' }])
    ).json()) as Message[];
    assert.deepEqual(batch.map(({ id }) => id).sort(), ['a', 'b', 'c']);
    const session = await begin({ protocolVersion: '2025-03-26' });
    const write = (id: unknown) => call('write_file', { path: 'b.txt', content: 'x' }, id);
    const asked = post(write(7), session);
    const pair = post([write(8), read(9)], session);
    await until(() => window.consent.questions.length === 1, 'the question');
    const cancel = (requestId: number, id?: number) => message('notifications/cancelled', { requestId }, id);
    assert.match(await (await post(cancel(7, 5), session)).text(), /"id":5,"error":\{"code":-32601/);
    assert.match(await (await post(read(7), session)).text(), /"id":7.*hello/);
    assert.equal((await post(cancel(8), session)).status, 202);
    assert.match(await (await pair).text(), /^\[\{"jsonrpc":"2.0","id":9,.*hello.*\]$/);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    await isError(await post(deep, session), 400, -32600, /nested/);
    window.consent.answer({ allow: 'once' });
    assert.match(await (await asked).text(), /"id":7.*b\.txt/);
  });

  it('answers what runs when its session ends, and refuses more sessions than a token may have', async () => {
    await serve();
    const session = await begin({ protocolVersion: '2025-03-26' });
    const running = post(call('write_file', { path: 'b.txt', content: 'x' }, 'mine'), session);
    await until(() => window.consent.open === 1, 'the question');
    await open(session, 'DELETE');
    assert.match(await (await running).text(), /"id":"mine","error":\{"code":-32001/);
    const streams: Response[] = [];
    for (let count = 0; count < 64; count++) streams.push(await open(await begin()));
    await isError(await post(INITIALIZE), 429, -32000);
    assert.equal((await post(read())).status, 200);
    for (const { body } of streams) await body?.cancel();
  });

  it('knows the sessions of each token, until they are ended', async () => {
    await serve();
    const session = await begin();
    assert.equal((await post(read(), session)).status, 200);
    const other = { ...session, Authorization: 'Bearer other' };
    await isError(await post(read(3), other), 404, -32001);
    const unknown = { ...session, 'MCP-Protocol-Version': '2023-01-01' };
    await isError(await post(read(3), unknown), 400, -32600, /2025-11-25/);
    assert.equal((await open(session, 'DELETE')).status, 204);
    await isError(await post(read(4), session), 404, -32001, /initialize/);
    await isError(await open(session), 404, -32001);
    await isError(await open({}), 405, -32600);
  });

  it('sends changes on the stream of the session, the last of those that are opened', async () => {
    await serve();
    const session = await begin();
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    const [first, second] = [await open(session), await open(session)];
    assert.equal(await first.text(), '', 'the first has ended');
    window.fake.person.sets('workspaceMcp.tools.disabled', ['move_path']);
    await new Promise<void>((resolve) => {
      void readEvents(
        second,
        (_, data) => JSON.parse(data).method === 'notifications/tools/list_changed' && resolve(),
      );
    });
  });

  it('gives a client that comes back what it has missed, once', async () => {
    await serve();
    const session = await begin();
    const asked = new AbortController();
    const write = call('write_file', { path: 'b.txt', content: 'x' }, 5);
    const lost = await post(write, session, '/mcp', asked.signal);
    const [, id = '', retry] = /^id: (\S+)\nretry: (\d+)/.exec(await firstPart(lost)) ?? [];
    assert.ok(Number(retry) > 0);
    asked.abort();
    await until(() => window.consent.open === 1, 'the question');
    window.consent.answer({ allow: 'once' });
    await delay(50);
    const events: string[] = [];
    await readEvents(await open({ ...session, 'Last-Event-ID': id }), (_, data) => void events.push(data));
    assert.equal(events.filter((data) => /"id":5.*b\.txt/.test(data)).length, 1);
    await isError(await open({ ...session, 'Last-Event-ID': `${'0'.repeat(16)}-1` }), 404, -32001);
  });

  it('2026-07-28: checks the headers, cancels what a client leaves, and streams what it listens to', async () => {
    await serve();
    const modern = (message: Message) => ({ ...message, params: { ...message.params, _meta: MODERN_META } });
    const named = { ...MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'read_file', Accept: BOTH };
    assert.equal((await post(modern(read()), named)).status, 200);
    const encoded = `=?base64?${Buffer.from('read_file').toString('base64')}?=`;
    assert.equal((await post(modern(read()), { ...named, 'Mcp-Name': encoded })).status, 200);
    for (const [name, value] of [
      ['Mcp-Name', 'edit_file'],
      ['Mcp-Name', '=?base64?#?='],
      ['Mcp-Method', 'ping'],
    ])
      await isError(await post(modern(read()), { ...named, [`${name}`]: `${value}` }), 400, -32020);
    await isError(await post(modern(read()), MODERN), 400, -32020, /Mcp-Method/);
    const none = modern({ jsonrpc: '2.0', id: 1, method: 'none' });
    await isError(await post(none, { ...MODERN, 'Mcp-Method': 'none' }), 404, -32601);
    await isError(await post([modern(read())], named), 400, -32600, /batches/);
    const leaving = new AbortController();
    const question = modern(call('write_file', { path: 'b.txt', content: 'x' }));
    const writes = { ...named, 'Mcp-Name': 'write_file' };
    const left = post(question, writes, '/mcp', leaving.signal).catch(() => {});
    await until(() => window.consent.open === 1, 'the question');
    leaving.abort();
    await left;
    await until(() => window.consent.open === 0, 'the end of the question');
    const listening = (notifications: object, id: unknown) =>
      modern(message('subscriptions/listen', { notifications }, id));
    const listens = { ...MODERN, 'Mcp-Method': 'subscriptions/listen' };
    await isError(await post(listening({}, 1), listens), 406, -32600);
    const stream = await post(listening({ toolsListChanged: true }, 'mine'), { ...listens, Accept: BOTH });
    const told: Message[] = [];
    void readEvents(stream, (_, data) => void told.push(JSON.parse(data)));
    await until(() => told.length > 0, 'the acknowledgement');
    window.fake.person.sets('workspaceMcp.tools.disabled', ['move_path']);
    await until(() => told.some(({ method }) => method === 'notifications/tools/list_changed'), 'the change');
    assert.equal(told.at(-1).params._meta['io.modelcontextprotocol/subscriptionId'], 'mine');
  });

  it('lets nobody in without a token, from a page, or by another name of this machine', async () => {
    await serve({ origins: () => ['http://localhost:5173'] });
    for (const [path, method] of [
      ['/mcp', 'POST'],
      ['/mcp', 'GET'],
      ['/sse', 'GET'],
      ['/messages', 'POST'],
      ['/none', 'GET'],
    ] as const)
      for (const Authorization of ['', 'Bearer wrong', 'Basic c2VjcmV0', 'Bearer'])
        assert.equal(await statusOf(path, method, { Authorization }), 401);
    const { headers } = await post(read(), { Authorization: 'Bearer wrong' });
    assert.match(headers.get('WWW-Authenticate') ?? '', /^Bearer/);
    for (const headers of [
      { Host: 'evil.example' },
      { Host: `localhost.evil.example:${port}` },
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { Origin: `http://localhost:${port}` },
    ])
      for (const path of ['/mcp', '/sse'])
        assert.equal(await statusOf(path, 'POST', { ...AUTHORIZED, ...headers }), 403);
    for (const Host of [`localhost:${port}`, `[::1]:${port}`, '127.0.0.1'])
      assert.equal(await statusOf('/mcp', 'GET', { ...AUTHORIZED, Host }), 405);
    const page = { Origin: 'http://localhost:5173' };
    const preflight = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'OPTIONS', headers: page });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('Access-Control-Allow-Headers') ?? '', /Authorization/);
    assert.equal((await post(read(), page)).headers.get('Access-Control-Allow-Origin'), page.Origin);
    for (const headers of [
      {},
      { ...AUTHORIZED, Origin: 'http://evil.example' },
      { ...AUTHORIZED, Host: 'evil.example' },
    ])
      await assert.rejects(opened(new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp', { headers })), /40[13]/);
  });

  it('refuses what is no message, and says what to send', async () => {
    await serve();
    await isError(await post('{', {}), 400, -32700);
    await isError(await post('x'.repeat(16 * 1024 * 1024 + 1)), 413, -32000);
    await isError(await post(read(), { 'Content-Type': 'text/plain' }), 415, -32600, /application\/json/);
    await isError(await post(read(), {}, '/messages?sessionId=none'), 404, -32001);
    await isError(await post(read(), {}, '/sse'), 405, -32600);
    assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
  });

  it('leads to the window of a folder', async () => {
    const elsewhere = (folder: string) => (folder === 'ä b' ? undefined : 'It is open elsewhere.');
    await serve({ elsewhere });
    assert.equal((await post(read(), {}, `/w/${encodeURIComponent('ä b')}/mcp`)).status, 200);
    await isError(await post(read(), {}, '/w/other/mcp'), 421, -32600, /elsewhere/);
    await isError(await post(read(), {}, '/w/%E0%A4%A/mcp'), 421, -32600);
  });

  it('takes a slash at the end of each address', async () => {
    await serve({ elsewhere: (folder) => (folder === 'ws' ? undefined : 'It is open elsewhere.') });
    for (const path of ['/mcp/', '/w/ws/mcp/']) assert.equal((await post(read(), {}, path)).status, 200);
    const stream = await fetch(`http://127.0.0.1:${port}/w/ws/sse/`, { headers: AUTHORIZED });
    assert.match(await firstPart(stream), /data: \/w\/ws\/messages\?sessionId=/);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/`, 'mcp', { headers: AUTHORIZED });
    await opened(socket);
    socket.close();
    await isError(await post(read(), {}, '/mcpx/'), 404, -32600, /\/mcp/);
  });

  it('ignores offers of HTTP/2 and TLS: the whole body is read, the answer is HTTP/1.1, and the connection goes on', async () => {
    await serve();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const offers = { Connection: 'Upgrade, HTTP2-Settings', 'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA' };
    const offer = async (upgrade: string, method: string, path: string, body = '') => {
      const headers = { ...AUTHORIZED, 'Content-Type': 'application/json', ...offers, Upgrade: upgrade };
      const sent = request({ agent, port, host: '127.0.0.1', path, method, headers });
      const [answer] = await once(sent.end(body), 'response');
      const { statusCode, httpVersion } = answer as IncomingMessage;
      return { statusCode, httpVersion, reused: sent.reusedSocket, text: await text(answer) };
    };
    const long = message('ping', { _meta: { filler: 'x'.repeat(200_000) } }, 1);
    const first = await offer('h2c', 'POST', '/mcp', JSON.stringify(long));
    assert.deepEqual([first.statusCode, first.httpVersion, first.text], [200, '1.1', PONG]);
    const second = await offer('TLS/1.0', 'POST', '/mcp', JSON.stringify(read()));
    assert.deepEqual([second.statusCode, second.reused], [200, true], second.text);
    const third = await offer('h2c', 'GET', '/mcp');
    assert.deepEqual([third.statusCode, third.reused], [405, true], third.text);
    assert.equal((await offer('h2c', 'GET', '/ws')).statusCode, 405);
    assert.equal((await offer('websocket', 'GET', '/mcp')).statusCode, 400);
    agent.destroy();
  });

  it('ends the sessions of a token that is revoked, and no other', async () => {
    const server = await serve();
    const session = await begin();
    const socket = new WebSocketClient(port);
    await socket.initialize();
    const other = new HttpClient(port);
    owners = owners.filter(({ id }) => id !== '1');
    server.ownersChanged();
    const closed = socket.until(() => false);
    await assert.rejects(closed, /closed/);
    assert.equal((await post(read(), session)).status, 401);
    assert.equal((await post(read(), { Authorization: 'Bearer other' })).status, 200);
    other.end();
  });

  it('judges a body by what holds when all of it has come', async () => {
    const server = await serve();
    const body = JSON.stringify(call('write_file', { path: 'b.txt', content: 'x' }));
    const late = async (meanwhile: () => void, body: string) => {
      const headers = { ...AUTHORIZED, 'Content-Type': 'application/json', 'Content-Length': body.length };
      const sent = request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers });
      const answered = new Promise<number | undefined>((resolve, reject) => {
        sent.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject);
      });
      sent.write(body.slice(0, 10));
      await delay(50);
      meanwhile();
      sent.end(body.slice(10));
      return answered;
    };
    const revoke = () => {
      owners = owners.filter(({ id }) => id !== '1');
      server.ownersChanged();
    };
    assert.equal(await late(revoke, body), 401);
    owners = [{ id: '1', name: 'HTTP client', token: 'secret' }];
    assert.equal(await late(() => server.close(), body), 503);
    assert.equal(window.consent.questions.length, 0);
  });

  it('ends at once what a client of a revoked token has running, whether or not it answers', async () => {
    const server = await serve();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp', { headers: AUTHORIZED });
    await opened(socket);
    socket.send(JSON.stringify(call('write_file', { path: 'b.txt', content: 'x' })));
    const stream = await fetch(`http://127.0.0.1:${port}/sse`, { headers: AUTHORIZED });
    await until(() => window.consent.open === 1, 'the question');
    socket.pause(); // it does not see that the server closes
    owners = [];
    server.ownersChanged();
    await until(() => window.consent.open === 0 && window.agents.length === 0, 'the end of both');
    socket.terminate();
    await stream.text();
  });

  it('gives the same agent its approvals back when it connects again', async () => {
    await serve();
    const first = new WebSocketClient(port);
    await first.initialize();
    window.agents[0]?.allowed.add('edit');
    first.end();
    await until(() => window.agents.length === 0, 'the end of the first');
    const second = new HttpClient(port);
    await second.initialize();
    assert.deepEqual([...(window.agents[0]?.allowed ?? [])], ['edit']);
    second.end();
  });

  const statusOf = (
    path: string,
    method: string,
    headers: Record<string, string>,
  ): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
});

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('open', resolve).once('error', reject);
  });

async function firstPart(response: Response): Promise<string> {
  const { value } = (await response.body?.getReader().read()) ?? {};
  return new TextDecoder().decode(value);
}
