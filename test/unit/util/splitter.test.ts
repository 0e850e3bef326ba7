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

  it('keeps the ending of what is too long, however it comes', () => {
    const text = `${'a'.repeat(5)}${'b'.repeat(1000)}xyz`;
    for (const size of [1, 7, 2000]) {
      const endings: string[] = [];
      const splitter = new Splitter(
        '\n',
        100,
        () => {},
        (_, ending) => endings.push(ending),
      );
      for (let at = 0; at < text.length; at += size) splitter.push(text.slice(at, at + size));
      splitter.push('\nshort\n');
      assert.deepEqual(endings, [text.slice(-512)]);
    }
    const endings: string[] = [];
    const just = new Splitter(
      '\n',
      5,
      () => {},
      (_, ending) => endings.push(ending),
    );
    for (const part of ['abc', 'def', '\n']) just.push(part);
    assert.deepEqual(endings, ['abcdef']);
  });

  it('cuts bytes as it cuts texts', () => {
    const seen: string[] = [];
    const splitter = new Splitter<Buffer>(
      '\n',
      5,
      (piece) => seen.push(`${piece}`),
      (beginning, ending) => seen.push(`${beginning}…${ending}`),
    );
    for (const part of ['é\n\na', 'b', 'é\nabc', 'def\n', 'x']) splitter.push(Buffer.from(part));
    splitter.end();
    assert.deepEqual(seen, ['é', '', 'abé', 'abcde…abcdef', 'x']);
  });

  it('drops what is too long, however it comes', () => {
    const text = 'abcdef\0ok\0';
    for (const parts of [[text], [...text]]) assert.deepEqual(split(parts, 5), [undefined, 'ok']);
  });
});
