import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { FloodGauge, StdoutReader } from '../../../src/hosting/connection/incoming.ts';
import { StderrTail } from '../../../src/hosting/connection/stdio.ts';
import { holdClock } from '../../fakes/clock.ts';

describe('hosting/limits: StdoutReader', () => {
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

describe('hosting/limits: FloodGauge', () => {
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

describe('hosting/limits: StderrTail', () => {
  it('keeps the beginning of a long line, and the last line without an end', () => {
    const tail = new StderrTail();
    tail.push(`${'x'.repeat(6_000)}\r\nlast`);
    tail.end();
    assert.deepEqual(tail.lines, [`${'x'.repeat(5_242)}…`, 'last']);
    assert.equal(tail.complaint, 'last');
    tail.push('x\n'.repeat(250));
    assert.equal(tail.lines.length, 200);
  });

  it('gives the reason of npm, not its code or the path of its log', () => {
    const tail = new StderrTail();
    tail.push(
      'npm error code E404\nnpm error 404 Not Found - GET https://example.com/nothing\nnpm error 404\n',
    );
    tail.push('npm error 404 Note that you can also install from a\nnpm error A complete log is in: /log\n');
    assert.equal(tail.complaint, 'npm error 404 Not Found - GET https://example.com/nothing');
  });
});
