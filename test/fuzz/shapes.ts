import fc from 'fast-check';
import { line, linesOf, many, message } from './messages.ts';
import { holds } from './runs.ts';
import { useStage, VERSIONS } from './stage.ts';
import { jsonOf } from './values.ts';

/** Bytes that are no UTF-8: cut off, too long, a half of a surrogate pair, what never comes. */
const BROKEN = ['c3', 'f09f98', 'eda080', 'c080', 'ff', 'fe00', '80'].map((hex) => Buffer.from(hex, 'hex'));

/** A line with such bytes in it: behind its id, which has to come back as it was sent. */
const brokenLine = fc.tuple(message, fc.constantFrom(...BROKEN)).map(([value, bytes]) => {
  const text = jsonOf({ ...value, more: '@' });
  const at = text.lastIndexOf('@');
  return Buffer.concat([Buffer.from(text.slice(0, at)), bytes, Buffer.from(text.slice(at + 1))]);
});

describe('fuzz: JSON-RPC', () => {
  const stage = useStage();

  const eachIsAnswered = (version: string, lines: fc.Arbitrary<(string | Buffer)[]>) =>
    fc.asyncProperty(lines, (all) => stage.with(version, (peer) => peer.send(all)));

  for (const version of VERSIONS)
    it(`${version}: each line gets what it is owed, once`, () =>
      holds(20, eachIsAnswered(version, linesOf(version))));

  it('2025-03-26: so does a line whose bytes are no UTF-8', () =>
    holds(5, eachIsAnswered('2025-03-26', many(fc.oneof(line, brokenLine)))));
});
