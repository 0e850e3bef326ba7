import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { Outbox } from '../../../../src/protocol/wire/outbox.ts';

/** A socket whose other side reads when it is told to. */
class Slow extends Duplex {
  readonly lines: string[] = [];
  #pending: { chunk: Buffer; done: () => void } | undefined;
  isOpen = false;

  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#pending = { chunk, done };
    if (this.isOpen) this.read1();
  }
  read1(): void {
    const { chunk, done } = this.#pending ?? {};
    this.#pending = undefined;
    if (chunk) this.lines.push(...chunk.toString().trim().split('\n'));
    done?.();
  }
}

const updated = (uri: string) =>
  ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }) as const;
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } } as const;

describe('protocol/outbox', () => {
  it('tells an agent that does not read of each change once, when it reads again', async () => {
    const socket = new Slow();
    const outbox = new Outbox(socket);
    outbox.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(17 * 1024 * 1024) } });
    await new Promise(setImmediate);
    for (let times = 0; times < 1000; times++) {
      outbox.send(updated('a'));
      outbox.send(updated('b'));
      outbox.send(progress);
    }
    assert.ok(socket.writableLength < 18 * 1024 * 1024);
    socket.isOpen = true;
    socket.read1();
    while (socket.lines.length < 3) await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.deepEqual(
      socket.lines.slice(1).map((line) => JSON.parse(line)),
      [updated('a'), updated('b')],
    );
    outbox.send(progress);
    while (socket.lines.length < 4) await new Promise(setImmediate);
  });
});
