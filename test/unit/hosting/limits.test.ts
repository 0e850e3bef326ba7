import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { FloodGauge } from '../../../src/hosting/connection/flood.ts';
import { LineQueue } from '../../../src/hosting/connection/lineQueue.ts';
import { StderrTail } from '../../../src/hosting/connection/stderrTail.ts';
import { holdClock } from '../../fakes/clock.ts';

describe('hosting/limits: LineQueue', () => {
  const queueOf = () => {
    const source = new PassThrough().resume();
    const handled: Buffer[] = [];
    return { source, handled, queue: new LineQueue(source, (line) => handled.push(line)) };
  };

  it('handles 64 lines a turn, in order, and pauses the stream until it is done', async () => {
    const { source, handled, queue } = queueOf();
    for (let index = 0; index < 150; index++) queue.push(Buffer.from(String(index)));
    for (const count of [64, 128]) {
      assert.equal(handled.length, count);
      assert.ok(source.isPaused());
      await turn();
    }
    assert.deepEqual(handled.map(String), [...Array(150).keys()].map(String));
    assert.ok(!source.isPaused());
  });

  it('handles 256 KB a turn, and drops lines once it is stopped', async () => {
    const { handled, queue } = queueOf();
    for (let index = 0; index < 5; index++) queue.push(Buffer.alloc(200_000));
    assert.equal(handled.length, 2);
    await turn();
    assert.equal(handled.length, 4);
    queue.stop();
    queue.push(Buffer.alloc(1));
    await turn();
    assert.equal(handled.length, 4);
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
