import fc from 'fast-check';
import { line, message } from './messages.ts';
import { LONGEST_LINE } from './oracle.ts';
import { holds } from './runs.ts';
import { useStage } from './stage.ts';
import { jsonOf } from './values.ts';

/** Bytes that are no UTF-8: cut off, too long, a half of a surrogate pair, what never comes. */
const BROKEN = ['c3', 'f09f98', 'eda080', 'c080', 'ff', 'fe00', '80'].map((hex) => Buffer.from(hex, 'hex'));

const NEWLINE = fc.constantFrom('\n', '\r\n', '\n\n', '\n\r\n', ' \n\t\n');

/** A line with bytes in it that are none of a text: behind its id, which has to come back as it was sent. */
const brokenLine = fc.tuple(message, fc.constantFrom(...BROKEN)).map(([value, bytes]) => {
  const text = jsonOf({ ...value, more: '@' });
  const at = text.lastIndexOf('@');
  return Buffer.concat([Buffer.from(text.slice(0, at)), bytes, Buffer.from(text.slice(at + 1))]);
});

const bytesOfLine = fc.oneof(
  { weight: 8, arbitrary: line.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: brokenLine },
);

/** Where a stream is cut: anywhere, after each byte, or nowhere. */
const cuts = fc.oneof(
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
  fc.constantFrom('everywhere' as const, 'nowhere' as const),
);

/** Most writes that one case is worth. */
const MOST_CHUNKS = 3_000;

function chunksOf(bytes: Buffer, where: readonly number[] | 'everywhere' | 'nowhere'): Buffer[] {
  if (where === 'nowhere') return [bytes];
  const each = Math.ceil(bytes.length / MOST_CHUNKS);
  const places =
    where === 'everywhere'
      ? Array.from({ length: Math.ceil(bytes.length / each) }, (_, index) => index * each)
      : where.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

describe('fuzz: framing', () => {
  const stage = useStage();

  for (const version of ['2025-03-26', '2025-11-25'])
    it(`${version}: lines are lines, however the stream is cut`, async () => {
      const lines = fc.array(fc.tuple(bytesOfLine, NEWLINE), { minLength: 1, maxLength: 40, size: 'max' });
      const property = fc.asyncProperty(lines, cuts, (given, where) =>
        stage().with(version, async (peer) => {
          peer.note(given.map(([bytes]) => bytes.toString()));
          const stream = Buffer.concat(given.flatMap(([bytes, end]) => [bytes, Buffer.from(end)]));
          for (const chunk of chunksOf(stream, where)) await peer.deliver(chunk);
          await peer.settled();
        }),
      );
      await holds(60, property);
    });

  it('a line that is too long is refused unread, one that just fits is answered, and the next ones too', async () => {
    const length = fc.constantFrom(-1, 0, 1, 2, LONGEST_LINE).map((more) => LONGEST_LINE + more);
    const shape = fc.constantFrom('first', 'last', 'none', 'no JSON');
    const property = fc.asyncProperty(length, shape, fc.constantFrom('x', 'ä'), (size, id, filling) =>
      stage().with('2025-11-25', async (peer) => {
        const [start, end] = frameOf(id);
        const body = filling.repeat(size - start.length - end.length);
        await peer.send([start + body + end, '{"jsonrpc":"2.0","id":"next","method":"ping"}']);
      }),
    );
    await holds(8, property);
  });
});

function frameOf(id: string): [start: string, end: string] {
  if (id === 'first') return ['{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"', '"}}'];
  if (id === 'last') return ['{"jsonrpc":"2.0","method":"ping","params":{"x":"', '"},"id":7}'];
  if (id === 'none') return ['{"jsonrpc":"2.0","params":{"x":"', '"},"method":"ping","id":9, "a":1}'];
  return ['', ''];
}
