import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HEAD_BYTES, Lines } from '../../../../src/shim/relay/lineSplitter.ts';

const linesOf = (chunks: Buffer[]): string[] => {
  const seen: string[] = [];
  const lines = new Lines((line) => seen.push(line.toString()));
  for (const chunk of chunks) lines.push(chunk);
  return seen;
};

describe('shim/lines', () => {
  it('finds the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(40)), (texts, cuts) => {
        const lines = texts.map((text) => text.replaceAll('\n', ''));
        let rest = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        for (const cut of cuts) {
          chunks.push(rest.subarray(0, cut));
          rest = rest.subarray(cut);
        }
        assert.deepEqual(linesOf([...chunks, rest]), lines);
      }),
    );
  });

  it('keeps back a line that has not ended, until it is told to end it', () => {
    const seen: string[] = [];
    const lines = new Lines((line) => seen.push(line.toString()));
    lines.push(Buffer.from('a\nb'));
    assert.deepEqual([seen, lines.unfinished], [['a'], true]);
    lines.end();
    assert.deepEqual([seen, lines.unfinished], [['a', 'b'], false]);
  });

  it('keeps the beginning of a line that is longer than any window takes', () => {
    const seen: string[] = [];
    const lines = new Lines((line) => seen.push(line.toString()), 1000);
    lines.push(Buffer.from(`head${'x'.repeat(900)}`));
    for (let i = 0; i < 10; i++) lines.push(Buffer.from('y'.repeat(500)));
    lines.push(Buffer.from('\nshort\n'));
    assert.deepEqual(seen, [`head${'x'.repeat(HEAD_BYTES - 4)}`, 'short']);
  });

  it('hands on a line that came in one piece as it is: there is nothing to keep', () => {
    const whole = Buffer.from(`head${'x'.repeat(HEAD_BYTES)}\n`);
    const seen: Buffer[] = [];
    const lines = new Lines((line) => seen.push(line));
    lines.push(whole);
    assert.deepEqual(seen, [whole.subarray(0, -1)]);
    assert.equal(seen[0]?.buffer, whole.buffer);
  });
});
