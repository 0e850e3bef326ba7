import assert from 'node:assert/strict';
import { LineReader } from '../../../../src/protocol/wire/lineReader.ts';

function reader(limit = 1000) {
  const seen: (string | undefined)[] = [];
  const lines = new LineReader(
    (line) => seen.push(line),
    () => seen.push(undefined),
    limit,
  );
  return { seen, lines };
}

describe('protocol/lines', () => {
  const bytes = Buffer.from('{"a":"grün 🌲"}\n\r\n  \n[1]\r\nlast');
  const expected = ['{"a":"grün 🌲"}', '[1]\r', 'last'];

  it('finds the same lines wherever the bytes are cut', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { seen, lines } = reader();
      lines.push(bytes.subarray(0, cut));
      lines.push(bytes.subarray(cut));
      lines.end();
      assert.deepEqual(seen, expected, `cut at ${cut}`);
    }
  });

  it('finds the same lines byte by byte', () => {
    const { seen, lines } = reader();
    for (const byte of bytes) lines.push(Buffer.from([byte]));
    lines.end();
    assert.deepEqual(seen, expected);
  });

  it('drops a line of 40 MB, reports it once, and reads the next', () => {
    const { seen, lines } = reader(32 * 1024 * 1024);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 40; count++) lines.push(chunk);
    lines.push(Buffer.from('\nnext\n'));
    assert.deepEqual(seen, [undefined, 'next']);
  });

  it('takes a line of just the limit', () => {
    const { seen, lines } = reader(4);
    lines.push(Buffer.from('1234\n12345\n1234'));
    lines.end();
    assert.deepEqual(seen, ['1234', undefined, '1234']);
  });

  it('reads a long line that comes in many pieces in little time', () => {
    const { seen, lines } = reader(Number.POSITIVE_INFINITY);
    const piece = Buffer.from('x'.repeat(100));
    for (let count = 0; count < 200_000; count++) lines.push(piece);
    lines.end();
    assert.equal(seen[0]?.length, 20_000_000);
  });
});
