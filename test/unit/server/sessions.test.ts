import assert from 'node:assert/strict';
import { type Duplex, duplexPair } from 'node:stream';
import { MAX_LINE } from '../../../src/core/jsonRpc.ts';
import { lineOutlet, takeLines } from '../../../src/server/sessions.ts';

/** What a wire would have been given; a message that is too long is undefined. */
class FakeWire {
  readonly taken: (string | undefined)[] = [];
  later: Promise<void> | undefined;
  take(text: string) {
    this.taken.push(text);
    return this.later;
  }
  refuseTooLong = () => void this.taken.push(undefined);
  outbox = { drained: () => {} };
  close = () => {};
}

const turn = () => new Promise(setImmediate);

describe('server/sessions', () => {
  let agent: Duplex;
  let socket: Duplex;
  let wire: FakeWire;
  beforeEach(() => {
    [agent, socket] = duplexPair();
    wire = new FakeWire();
    takeLines(socket, wire as never);
  });
  afterEach(() => agent.destroy());

  const bytes = Buffer.from('{"a":"grün 🌲"}\n\r\n  \n[1]\r\nlast');
  const expected = ['{"a":"grün 🌲"}', '[1]\r', 'last'];

  it('finds the same lines wherever the bytes are cut', async () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const [from, to] = duplexPair();
      const given = new FakeWire();
      takeLines(to, given as never);
      from.write(bytes.subarray(0, cut));
      await turn();
      from.end(bytes.subarray(cut));
      for (let turns = 0; turns < 3; turns++) await turn();
      assert.deepEqual(given.taken, expected, `cut at ${cut}`);
    }
  });

  it('drops a line that is too long, reports it once, and reads the next', async () => {
    for (const size of [MAX_LINE, 1, MAX_LINE]) agent.write('x'.repeat(size));
    agent.write(`\n${'y'.repeat(MAX_LINE)}\nnext\n`);
    for (let turns = 0; wire.taken.length < 3 && turns < 1000; turns++) await turn();
    const lengths = wire.taken.map((text) => text?.length);
    assert.deepEqual(lengths, [undefined, MAX_LINE, 4]);
  });

  it('reads no more until the wire is ready', async () => {
    let ready = () => {};
    wire.later = new Promise((resolve) => {
      ready = resolve;
    });
    agent.write('1\n');
    await turn();
    agent.write('2\n');
    await turn();
    assert.deepEqual(wire.taken, ['1']);
    ready();
    await turn();
    await turn();
    assert.deepEqual(wire.taken, ['1', '2']);
  });

  it('writes a line a message, and nothing once the socket has been ended', async () => {
    const outlet = lineOutlet(socket);
    let read = '';
    agent.setEncoding('utf8').on('data', (text: string) => {
      read += text;
    });
    outlet.send('1');
    outlet.send('2');
    await turn();
    socket.end();
    outlet.send('3');
    await turn();
    assert.equal(read, '1\n2\n');
  });
});
