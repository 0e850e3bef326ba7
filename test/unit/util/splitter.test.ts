import assert from 'node:assert/strict';
import { Splitter } from '../../../src/util/splitter.ts';

describe('util/splitter', () => {
  const split = (parts: string[], limit = 100) => {
    const seen: (string | undefined)[] = [];
    const splitter = new Splitter(
      '\0',
      limit,
      (piece) => seen.push(piece),
      () => seen.push(undefined),
    );
    for (const part of parts) splitter.push(part);
    return seen;
  };

  it('hands on empty pieces too, and none that has not ended', () =>
    assert.deepEqual(split(['\0a', 'b\0', '\0c']), ['', 'ab', '']));

  it('drops what is too long, however it comes', () => {
    const text = 'abcdef\0ok\0';
    for (const parts of [[text], [...text]]) assert.deepEqual(split(parts, 5), [undefined, 'ok']);
  });
});
