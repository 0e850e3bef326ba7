import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { fieldsOf } from '../../../../src/core/json.ts';
import { FloodGauge, StdoutReader } from '../../../../src/hosting/connection/incoming.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { until } from '../../../until.ts';

describe('hosting/connection/incoming: what a server writes to stdout', () => {
  /** What comes of it with low limits. */
  async function read(text: string, sent = 0) {
    const messages: JSONRPCMessage[] = [];
    const reasons: string[] = [];
    const stdout = new PassThrough();
    const handlers = {
      message: (message: JSONRPCMessage) => messages.push(message),
      misbehaved: (reason: string) => reasons.push(reason),
    };
    const reader = new StdoutReader(stdout, handlers, { message: 1_000, line: 4_000, unasked: 3 });
    stdout.write('{"jsonrpc":"2.0","method":"first"}\n');
    await until(() => messages.length === 1, 'the first message');
    for (let count = 0; count < sent; count++) reader.flood.sent();
    stdout.end(text);
    await finished(stdout);
    return { messages: messages.slice(1).map(fieldsOf), reasons, garbage: reader.garbage };
  }

  it('may be a long result; one that is too long is an error, wherever its id is', async () => {
    const idFirst = (length: number) =>
      `{"jsonrpc":"2.0","id":7,"result":{"text":"${'x'.repeat(length)}"}}\n`;
    const idLast = `{"result":{"text":"${'x'.repeat(1_000)}"},"jsonrpc":"2.0","id":7}\n`;
    for (const [line, error] of [
      [idFirst(900), /undefined/],
      [idFirst(1_000), /longer than 64 MB, so it was not read/],
      [idLast, /longer than 64 MB, so it was not read/],
    ] as const) {
      const { messages, reasons } = await read(line);
      assert.deepEqual([messages[0]?.id, reasons], [7, []]);
      assert.match(`${fieldsOf(messages[0]?.error).message}`, error);
    }
  });

  it('may be no longer message that is no answer, no endless line and no flood', async () => {
    const long = `{"jsonrpc":"2.0","method":"x","params":{"text":"${'x'.repeat(1_000)}"}}\n`;
    const note = '{"jsonrpc":"2.0","method":"x"}\n';
    for (const [text, sent, reason] of [
      [long, 0, /sent a message longer than/],
      ['x'.repeat(4_001), 0, /a line longer than 256 MB/],
      [note.repeat(3), 0, /more than 20000 messages within 10 s/],
      [note.repeat(3), 1, /^$/],
    ] as const)
      assert.match(`${(await read(text, sent)).reasons[0] ?? ''}`, reason);
  });

  it('may be banners and log lines; the first are kept', async () => {
    const { garbage } = await read('*** Welcome ***\n\n{"level":"info","method":"GET"}\n{"broken\n42\n');
    const first = ['*** Welcome ***', '{"level":"info","method":"GET"}', '{"broken', '42'];
    assert.deepEqual(garbage, { count: 4, first });
  });
});

describe('hosting/connection/incoming: StdoutReader', () => {
  /** @returns how many lines, which are no messages, have been handled */
  const readerOf = () => {
    const stdout = new PassThrough();
    const reader = new StdoutReader(stdout, { message() {}, misbehaved: assert.fail });
    const receive = (lines: string[]) => stdout.emit('data', Buffer.from(`${lines.join('\n')}\n`));
    return { stdout, reader, receive, handled: () => reader.garbage.count };
  };

  it('handles 64 lines a turn, in order, and pauses the stream until it is done', async () => {
    const { stdout, reader, receive, handled } = readerOf();
    receive([...Array(150).keys()].map(String));
    for (const count of [64, 128]) {
      assert.equal(handled(), count);
      assert.ok(stdout.isPaused());
      await turn();
    }
    assert.deepEqual([handled(), reader.garbage.first.slice(0, 3)], [150, ['0', '1', '2']]);
    assert.ok(!stdout.isPaused());
  });

  it('handles 256 KB a turn, and drops lines once it is stopped', async () => {
    const { reader, receive, handled } = readerOf();
    receive(Array.from({ length: 5 }, () => 'x'.repeat(200_000)));
    assert.equal(handled(), 2);
    await turn();
    assert.equal(handled(), 4);
    reader.isStopped = true;
    receive(['x']);
    await turn();
    assert.equal(handled(), 4);
  });
});

describe('hosting/connection/incoming: FloodGauge', () => {
  const clock = holdClock();

  it('counts what a server sends more than it gets, in 10 s', () => {
    const gauge = new FloodGauge(3);
    const receive = (count: number) => Array.from({ length: count }, () => gauge.received()).at(-1);
    assert.ok(!receive(3));
    clock.tick(10_001);
    assert.ok(!receive(3));
    for (let index = 0; index < 3; index++) gauge.sent();
    assert.ok(!receive(3));
    assert.ok(receive(1));
  });
});
