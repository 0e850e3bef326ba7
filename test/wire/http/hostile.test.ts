/** Bytes that are no requests, and those who send too many or none: nobody else waits, and nothing is understood twice. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { until, useMachine } from '../harness.ts';
import { AUTHORIZED, HttpClient } from './rawClients.ts';

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'read_file', arguments: { path: 'ä.txt' } },
});

describe('HTTP, hostile', () => {
  const machine = useMachine();
  const sockets: Socket[] = [];
  let port: number;

  beforeEach(async () => {
    const window = await machine.open({ trees: { ws: { 'ä.txt': 'hello\n' } } });
    ({ port } = await window.serveHttp());
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const raw = (): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  const head = (more: string, body: string | Uint8Array = BODY) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZED.Authorization}\r\nContent-Type: application/json\r\n${more.replace('LENGTH', `${Buffer.byteLength(body)}`)}\r\n\r\n`;
  const PLAIN = head('Content-Length: LENGTH');
  /** Everything until the server has closed, or what is looked for has come so many times. */
  const answers = async (socket: Socket, what: RegExp, count = 1): Promise<string> => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    await until(() => socket.closed || [...text.matchAll(new RegExp(what, 'g'))].length >= count, `${what}`);
    return text;
  };

  it('reads a request wherever it is cut, and several in one', async () => {
    const bytes = Buffer.from(PLAIN + BODY);
    for (let cut = 1; cut < bytes.length; cut += 37) {
      const socket = raw();
      socket.write(bytes.subarray(0, cut));
      setImmediate(() => socket.write(bytes.subarray(cut)));
      assert.match(await answers(socket, /hello/), /200 OK/, `cut at ${cut}`);
      socket.destroy();
    }
    const socket = raw();
    socket.write((PLAIN + BODY).repeat(3));
    await answers(socket, /hello/, 3);
    const chunked = raw();
    const parts = [...BODY].map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`);
    chunked.write(`${head('Transfer-Encoding: chunked')}${parts.join('')}0\r\n\r\n`);
    assert.match(await answers(chunked, /hello/), /200 OK/);
  });

  it('takes no request out of the body of another', async () => {
    const inner = PLAIN + BODY;
    for (const more of [
      `Content-Length: ${Buffer.byteLength(inner) + 5}\r\nTransfer-Encoding: chunked`,
      'Content-Length: 5\r\nContent-Length: 6',
      'Transfer-Encoding: chunked, identity',
      'Content-Length: 1\r\n : x',
    ]) {
      const socket = raw();
      socket.write(`${head(more)}0\r\n\r\n${inner}`);
      assert.doesNotMatch(await answers(socket, /hello/), /hello/, more);
    }
  });

  it('closes what is too long, or is no HTTP, and answers whoever has ended their side', async () => {
    const long = raw();
    long.write(`POST /mcp HTTP/1.1\r\nX: ${'x'.repeat(64 * 1024)}`);
    assert.doesNotMatch(await answers(long, /hello/), /200/);
    const other = raw();
    other.write('\x16\x03\x01\x02\x00\x01\x00');
    assert.doesNotMatch(await answers(other, /hello/), /200/);
    const half = raw();
    half.end(PLAIN + BODY);
    await answers(half, /hello/);
    const broken = raw();
    const body = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    broken.write(head('Content-Length: LENGTH', body));
    broken.write(body);
    assert.match(await answers(broken, /-32700/), /400/);
  });

  it('serves others while a thousand connections say nothing, or half of something', async () => {
    const idle = Array.from({ length: 1_000 }, (_, index) => {
      const socket = raw();
      if (index % 2 === 0) socket.write('POST /mcp HTTP/1.1\r\nHost: loc');
      return socket;
    });
    await until(() => idle.filter(({ closed }) => closed).length > 900, 'the end of most');
    const client = new HttpClient(port);
    await client.initialize();
    const { result } = await client.request('tools/call', {
      name: 'read_file',
      arguments: { path: 'ä.txt' },
    });
    assert.equal(result.content[0].text, 'hello\n');
    client.end();
  });

  it('survives a flood of pings, and closes on what is no text', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp', { headers: AUTHORIZED });
    await new Promise((resolve) => socket.once('open', resolve));
    for (let count = 0; count < 20_000; count++) socket.ping('x'.repeat(100));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    const answer = await new Promise((resolve) => socket.once('message', resolve));
    assert.match(`${answer}`, /"id":1/);
    socket.send(Uint8Array.of(1, 2));
    assert.equal(await new Promise((resolve) => socket.once('close', resolve)), 1003);
  });
});
