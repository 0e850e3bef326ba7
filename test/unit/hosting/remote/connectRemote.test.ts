import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { holdClock } from '../../../fakes/clock.ts';
import { until } from '../../../until.ts';
import { event, type Handler, json, legacy, RemoteServers, stream } from './support.ts';

const answer = (id: unknown, result: object = {}) => ({ jsonrpc: '2.0', id, result });

describe('hosting/remote/connectRemote: a faulty remote server', () => {
  const clock = holdClock();
  let servers: RemoteServers;
  beforeEach(() => {
    servers = new RemoteServers();
  });
  afterEach(() => servers.dispose());

  const connect = async (handler: Handler) => servers.connect(await servers.serve(legacy(handler)));
  /** To a server without a stream of notifications. */
  const connectPosts = (handler: Handler) =>
    connect((request, response) =>
      request.method === 'GET' ? void response.writeHead(405).end() : handler(request, response),
    );

  it('gets session, version and the headers of its definition', async () => {
    const handler: Handler = ({ message }, response) =>
      message ? json(response, answer(message.id)) : void response.writeHead(405).end();
    const url = await servers.serve(legacy(handler));
    const { client } = await servers.connect(url, { headers: { 'X-Key': 'secret' } });
    await client.request('tools/list');
    await client.close();
    const sent = servers.received.filter(({ method }) => method !== 'GET').slice(2);
    assert.deepEqual(
      sent.map(({ method, headers }) => [
        method,
        ...['mcp-session-id', 'mcp-protocol-version', 'x-key'].map((name) => headers[name]),
      ]),
      ['POST', 'POST', 'DELETE'].map((method) => [method, 'the session', '2025-06-18', 'secret']),
    );
  });

  it('that answers with a page is reported; it is not asked again for notifications', async () => {
    const { client } = await connect(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('retry: 1\n\n'),
    );
    const asked = () => servers.received.filter(({ method }) => method === 'GET').length;
    await until(() => asked() === 1, 'the GET');
    for (let count = 0; count < 5; count++)
      await assert.rejects(client.request('tools/list'), /answered with text\/html instead of JSON/);
    assert.equal(asked(), 1);
  });

  it('that drops the stream of notifications gets the last event that was read, after 1 s to 60 s', async () => {
    const wanted = [0, 2_000, 99_999_999_999];
    const noteOf = (last: number) => ({ method: 'notifications/message', params: { last } });
    await connect(({ headers }, response) => {
      const last = Number(headers['last-event-id'] ?? 0);
      const retry = wanted[last];
      if (retry === undefined) return void response.writeHead(405).end();
      const data = { jsonrpc: '2.0', ...noteOf(last) };
      stream(response).end(event(data, { id: `${last + 1}`, retry }));
    });
    for (const pause of [1_000, 2_000, 60_000]) await clock.passWait(pause);
    assert.deepEqual(servers.notified, [0, 1, 2].map(noteOf));
  });

  it('that drops the stream of a call is resumed after the last event', async () => {
    const { client } = await connect(({ method, message, headers }, response) => {
      if (method === 'POST') return void stream(response).end(event('', { id: `${message.id}-1`, retry: 1 }));
      const [id, count] = `${headers['last-event-id']}`.split('-');
      if (count === undefined) return void response.writeHead(405).end();
      const data = count === '3' ? answer(id, { resumed: true }) : '';
      return void stream(response).end(event(data, { id: `${id}-${Number(count) + 1}` }));
    });
    const call = client.request('tools/call');
    for (const _ of [1, 2, 3]) await clock.passWait(1_000);
    assert.deepEqual(await call, { resumed: true });
  });

  it('that drops a call for good: its effect is unknown, and the connection stays', async () => {
    const { client, closed } = await connectPosts(({ message }, response) => {
      const drop = () => response.destroy();
      if (message.params.after === 'nothing') return void drop();
      if (message.params.after === 'event') return void stream(response).write(': nothing yet\n\n', drop);
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc"', drop);
    });
    for (const after of ['nothing', 'event', 'half'])
      await assert.rejects(
        client.request('tools/call', { after }),
        /unknown whether the request took effect/,
      );
    assert.equal(await Promise.race([closed, 'still open']), 'still open');
  });

  it('that never ends a stream after the answer does not keep it', async () => {
    let isOpen = true;
    const { client } = await connectPosts(({ message }, response) => {
      response.on('close', () => {
        isOpen = false;
      });
      stream(response).write(event(answer(message.id)));
    });
    assert.deepEqual(await client.request('tools/call'), {});
    await clock.passWait(1_000);
    await until(() => !isOpen, 'the end of the stream');
  });

  it('that loses the session is disconnected', async () => {
    const { client, closed } = await connect((_, response) => void response.writeHead(404).end());
    await assert.rejects(client.request('tools/call'), { name: 'ConnectionClosedError' });
    assert.equal(await closed, 'It ended the session.');
  });

  it('that redirects to another origin gets no headers there', async () => {
    const target = await servers.serve((_, response) => void response.writeHead(500).end());
    const url = await servers.serve(
      (_, response) => void response.writeHead(307, { location: target.href }).end(),
    );
    const failed = servers.connect(new URL('?key=secret', url), { headers: { 'X-Key': 'secret' } });
    await assert.rejects(failed, ({ message }: Error) => {
      assert.match(message, new RegExp(`redirects to ${target.origin}`));
      return !message.includes('secret');
    });
    assert.ok(servers.received.every(({ headers }) => headers.host === url.host));
  });

  it('that redirects within its origin is followed', async () => {
    const handler = legacy(({ message }, response) => json(response, answer(message?.id)));
    const url = await servers.serve((request, response) =>
      request.path === '/mcp'
        ? void response.writeHead(308, { location: '/other' }).end()
        : handler(request, response),
    );
    const { client } = await servers.connect(url);
    assert.deepEqual(await client.request('tools/list'), {});
  });

  it('may not send more than 64 MB: only that request fails', async () => {
    const part = Buffer.alloc(1024 * 1024, 'x');
    const { client } = await connectPosts(({ message }, response) => {
      const { type } = message.params;
      if (!type) return json(response, answer(message.id));
      response.writeHead(200, { 'content-type': type });
      Readable.from(Array(65).fill(part)).pipe(response);
    });
    for (const type of ['application/json', 'text/event-stream'])
      await assert.rejects(client.request('tools/call', { type }), /longer than 64 MB/);
    assert.deepEqual(await client.request('tools/call', {}), {});
  });

  it('that floods is disconnected', async () => {
    const note = event({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
    const { client, closed } = await connect(({ method }, response) => {
      if (method === 'POST') return void stream(response);
      const flood = () => response.write(note.repeat(5_000), (error) => error || flood());
      stream(response);
      flood();
    });
    await assert.rejects(client.request('tools/call'), { name: 'ConnectionClosedError' });
    assert.match(await closed, /more than 20000 messages/);
  });

  it('that cannot be reached is reported without secrets', async () => {
    const key = '?key=secret';
    const { origin } = await servers.serve(() => {});
    await servers.dispose();
    const expected: [string, RegExp][] = [
      [origin + key, /Nothing answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)/],
      [`http://no.such.host.invalid/${key}`, /no.such.host.invalid was not found|connection to/],
    ];
    for (const [url, text] of expected)
      await assert.rejects(servers.connect(new URL(url)), ({ message }: Error) => {
        assert.match(message, text);
        return !message.includes('secret');
      });
    const url = await servers.serve((_, response) => void response.writeHead(401).end());
    await assert.rejects(servers.connect(url), /needs authorization \(HTTP 401\)/);
  });

  it('that does not speak Streamable HTTP is asked for SSE, and kept awake', async () => {
    const url = await servers.serve(sseServer());
    const { client, closed } = await servers.connect(url);
    assert.deepEqual(await client.request('tools/call'), { path: '/messages?session=1' });
    const pings = () => servers.received.filter(({ message }) => message?.method === 'ping').length;
    for (const count of [1, 2]) {
      await clock.passWait(60_000);
      await until(() => pings() === count, 'the ping');
    }
    await assert.rejects(client.request('end'), { name: 'ConnectionClosedError' });
    assert.equal(await closed, 'It closed its event stream.');
  });

  it('over SSE has a minute to open its event stream', async () => {
    const connecting = servers.connect(await servers.serve(() => {}), { type: 'sse' });
    const failed = assert.rejects(connecting, /did not open its event stream in time/);
    await clock.passWait(60_000);
    await failed;
  });

  it('over SSE may not move our messages to another origin', async () => {
    const url = await servers.serve(sseServer('http://other.invalid/messages'));
    const refused = servers.connect(url, { type: 'sse' });
    await assert.rejects(refused, /another origin, which would get your headers/);
  });
});

/** HTTP with SSE, as of 2024-11-05. */
function sseServer(endpoint = '/messages?session=1'): Parameters<RemoteServers['serve']>[0] {
  let events: Parameters<typeof stream>[0];
  return ({ method, path, message }, response) => {
    if (method === 'GET') {
      events = stream(response);
      return void events.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    }
    if (path === '/mcp') return void response.writeHead(405).end();
    response.writeHead(202).end();
    if (message.method === 'end') return void events.end();
    const result =
      message.method === 'initialize' ? { protocolVersion: '2024-11-05', capabilities: {} } : { path };
    if (message.id !== undefined) events.write(event(answer(message.id, result)));
  };
}
