import fc from 'fast-check';
import { line, message } from './messages.ts';
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
const MOST_CHUNKS = 1_000;

function chunksOf(bytes: Buffer, where: readonly number[] | 'everywhere' | 'nowhere'): Buffer[] {
  if (where === 'nowhere') return [bytes];
  const each = Math.ceil(bytes.length / MOST_CHUNKS);
  const places =
    where === 'everywhere'
      ? Array.from({ length: MOST_CHUNKS }, (_, index) => index * each)
      : where.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

describe('fuzz: framing', () => {
  const stage = useStage();

  it('lines are lines, however the stream is cut', async () => {
    const lines = fc.array(fc.tuple(bytesOfLine, NEWLINE), { minLength: 1, maxLength: 40, size: 'max' });
    const property = fc.asyncProperty(lines, cuts, (given, where) =>
      stage().with('2025-03-26', async (peer) => {
        peer.note(given.map(([bytes]) => bytes.toString()));
        const stream = Buffer.concat(given.flatMap(([bytes, end]) => [bytes, Buffer.from(end)]));
        for (const chunk of chunksOf(stream, where)) await peer.deliver(chunk);
        await peer.settled();
      }),
    );
    await holds(20, property);
  });
});
