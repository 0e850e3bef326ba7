import assert from 'node:assert/strict';
import { RunOutput } from '../../../../src/services/run/output.ts';

describe('services/run/output: what a run prints', () => {
  it('is the lines that a terminal shows, also while one is unfinished', () => {
    const output = new RunOutput();
    for (const part of ['\x1b[32mone\x1b', '[0m\r\ntw', 'o 10%\rtwo 99', '%']) output.push(part);
    assert.deepEqual([output.head, output.tail, output.count], [['one'], ['two 99%'], 2]);
    output.push('\n');
    output.end();
    assert.deepEqual([output.head, output.tail, output.count], [['one', 'two 99%'], [], 2]);
  });

  it('is kept in its first and last lines, with the number of those between', () => {
    const output = new RunOutput();
    for (let line = 1; line <= 50_000; line++) output.push(`${line} ${'x'.repeat(100)}\n`);
    output.end();
    const { head, tail, dropped, count } = output;
    assert.equal(count, 50_000);
    assert.equal(head.length + dropped + tail.length, count);
    assert.match(`${head[0]} … ${tail[0]}`, new RegExp(`^1 x+ … ${head.length + dropped + 1} x`));
    assert.ok([...head, ...tail].join('\n').length < 2_000_000);
  });

  it('of many short lines is kept in few of them', () => {
    const output = new RunOutput();
    for (let part = 0; part < 1_000; part++) output.push('\n'.repeat(1_000));
    output.end();
    assert.equal(output.count, 1_000_000);
    assert.ok(output.head.length + output.tail.length < 100_000);
  });

  it('without a line end takes no more room than a long line', () => {
    const output = new RunOutput();
    for (let part = 0; part < 1_000; part++) output.push('x'.repeat(10_000));
    output.push('end');
    output.end();
    assert.ok(/^\[cut\] x{60000,}end$/.test(output.head.join('')), `${output.head.join('').length}`);
  });
});
