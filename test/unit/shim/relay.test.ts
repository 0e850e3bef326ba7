import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Ending, relay } from '../../../src/shim/relay.ts';
import { Reader, socketPair } from './streams.ts';

const request = '{"jsonrpc":"2.0","id":1,"method":"a"}';
const answer = '{"jsonrpc":"2.0","id":1,"result":{}}\n';

describe('shim/relay', () => {
  let input: PassThrough;
  let output: PassThrough;
  let socket: Socket;
  /** The window's end of the socket. */
  let window: Socket;
  let said: string[];
  let ending: Promise<Ending>;

  beforeEach(async () => {
    input = new PassThrough();
    output = new PassThrough();
    [socket, window] = await socketPair();
    said = [];
    ending = relay({ input, output }, socket, (line) => said.push(line));
  });

  afterEach(() => {
    socket.destroy();
    window.destroy();
  });

  it('passes bytes on unchanged, both ways', async () => {
    const bytes = Buffer.from('{"jsonrpc":"2.0","method":"é\u{1f600}"} \xff\r\n\n', 'latin1');
    for (const byte of bytes) input.write(Buffer.from([byte]));
    assert.deepEqual(Buffer.concat(await take(window, bytes.length)), bytes);
    for (const byte of bytes) window.write(Buffer.from([byte]));
    assert.deepEqual(Buffer.concat(await take(output, bytes.length)), bytes);
  });

  it('ends the last line, waits for all of its answer, then closes the socket', async () => {
    const atWindow = new Reader(window);
    const atAgent = new Reader(output);
    input.end(request);
    await atWindow.until(`${request}\n`);
    window.write(answer.slice(0, 30));
    await atAgent.until(answer.slice(0, 30));
    window.write(answer.slice(30));
    assert.equal(await ending, 'answered everything');
    await atAgent.until(answer);
    assert.deepEqual(said, []);
  });

  it('hands over a last notification before it ends', async () => {
    const notification = `{"jsonrpc":"2.0","method":"n","params":"${'x'.repeat(3_000_000)}"}\n`;
    const received = buffer(window);
    input.end(notification);
    assert.equal(String(await received), notification);
    assert.equal(await ending, 'answered everything');
  });

  it('answers what is in flight when the window goes, on lines of their own', async () => {
    const atWindow = new Reader(window);
    const atAgent = new Reader(output);
    input.write(`${request}\n{"jsonrpc":"2.0","id":"b","method":"b"}\n`);
    await atWindow.until('"b"}\n');
    window.write(answer.slice(0, 20));
    await atAgent.until(answer.slice(0, 20));
    window.destroy();
    assert.equal(await ending, 'window gone');
    await atAgent.until('"b"');
    const [rest, ...errors] = atAgent.text.trimEnd().split('\n');
    assert.equal(rest, answer.slice(0, 20));
    assert.deepEqual(
      errors.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error.code, error.message]),
      [1, 'b'].map((id) => [id, -32000, said[0]]),
    );
  });

  it('ends when nobody reads its output', async () => {
    output.destroy(new Error('EPIPE'));
    assert.equal(await ending, 'agent gone');
    assert.deepEqual(said, []);
    assert.equal(socket.destroyed, true);
  });

  it('stops reading from the agent while the window does not read', async () => {
    while (!input.isPaused()) {
      input.write(Buffer.alloc(64 * 1024, 0x20));
      await new Promise(setImmediate);
    }
    window.resume();
    await once(input, 'resume');
  });

  it('stops reading from the window while the agent does not read', async () => {
    while (!socket.isPaused()) {
      window.write(Buffer.alloc(64 * 1024, 0x20));
      await new Promise(setImmediate);
    }
    output.resume();
    await once(socket, 'resume');
  });
});

/** The next `length` bytes. */
async function take(stream: Readable, length: number): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let taken = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    taken += (chunk as Buffer).length;
    if (taken >= length) break;
  }
  return chunks;
}
