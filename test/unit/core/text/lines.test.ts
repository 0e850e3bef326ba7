import assert from 'node:assert/strict';
import { countLines, offsetOfLine, sliceLines } from '../../../../src/core/text/lines.ts';

describe('core/text/lines', () => {
  it('counts the line behind the last line break', () =>
    assert.deepEqual(['', 'a', 'a\n', 'a\r\nb', '\n\n'].map(countLines), [1, 1, 2, 2, 3]));

  it('slices lines as they stand, line breaks included', () => {
    assert.equal(sliceLines('a\r\nb\nc', 1, 2), 'a\r\nb\n');
    assert.equal(sliceLines('a\nb\nc', 3, 9), 'c');
    assert.equal(sliceLines('a\n', 2, 2), '');
    assert.equal(offsetOfLine('a\nb', 9), 3);
  });
});
