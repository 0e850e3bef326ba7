import assert from 'node:assert/strict';
import { Splitter } from '../../../../src/core/text/lines.ts';

describe('core/text/lines', () => {
  /** What was handed on, and the endings of what was too long. */
  const split = (parts: string[], limit = 100) => {
    const seen: string[] = [];
    const tooLong = (_: string, ending: string) => seen.push(`…${ending}`);
    const splitter = new Splitter('\n', limit, (piece) => seen.push(piece), tooLong);
    for (const part of parts) splitter.push(part);
    return seen;
  };

  it('drops what is too long but for its ending, however it comes', () => {
    const text = `${'a'.repeat(5)}${'b'.repeat(1000)}xyz`;
    for (const size of [1, 7, 2000]) {
      const parts = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
      assert.deepEqual(split([...parts, '\nshort\n']), [`…${text.slice(-512)}`, 'short']);
    }
    assert.deepEqual(split(['abc', 'def', '\n\n'], 5), ['…abcdef', '']);
  });
});
