import assert from 'node:assert/strict';
import type { Replacing } from '../../../../src/workspace/search/replaceText.ts';
import { cleanUp, openWindow } from '../../features/window.ts';

const TEXT = { query: '', isRegex: false, caseSensitive: false, wholeWord: false, contextLines: 0 };
const REGEX = { isRegex: true };

function replaced(text: string, query: Partial<Replacing['query']>, replacement: string) {
  const { files } = openWindow({}).ctx;
  return files.replaceIn(text, { query: { ...TEXT, ...query }, replacement }, AbortSignal.timeout(10_000));
}

describe('workspace/search/replaceText', () => {
  afterEach(cleanUp);

  it('replaces text, or an expression, as ripgrep finds it', async () => {
    for (const [text, query, replacement, after, count] of [
      ['a.b A.B axb', { query: 'a.b' }, '$& $1', '$& $1 $& $1 axb', 2],
      ['ab AB', { query: 'ab', caseSensitive: true }, 'c', 'c AB', 1],
      ['tö töt ttö', { query: 'tö', wholeWord: true }, 'x', 'x töt ttö', 1],
      ['f(a, b)', { query: 'f\\((\\w), (\\w)\\)', ...REGEX }, '$$ $2 $1 $& $x', '$ b a f(a, b) $x', 1],
      ['a-b', { query: '(?<one>\\w)\\-', ...REGEX }, '{$one}$<one>1', '{$one}a1b', 1],
      ['a \n b', { query: 'a\\s*', ...REGEX }, 'x', 'x\n b', 1],
      ['a\n\nb\n', { query: '^', ...REGEX }, '//', '//a\n//\n//b\n', 3],
      ['a\nb', { query: '$', ...REGEX }, ';', 'a;\nb;', 2],
      ['Aж', { query: '(?i)a\\p{Cyrillic}', caseSensitive: true, ...REGEX }, 'x', 'x', 1],
      ['\ufeffa\0b\n', { query: 'b' }, 'c', '\ufeffa\0c\n', 1],
      ['', { query: 'a' }, 'b', '', 0],
    ] as const)
      assert.deepEqual(await replaced(text, query, replacement), { text: after, count }, query.query);
  });

  it('replaces over lines, and their ends', async () => {
    for (const [text, query, replacement, after, count] of [
      ['a\nb\na\nb\n', { query: 'a\\nb', ...REGEX }, 'x\ny', 'x\ny\nx\ny\n', 2],
      ['a\nb\n', { query: 'a\nb' }, 'x', 'x\n', 1],
      ['a\nb\n\n\na\nb', { query: 'a\\n', ...REGEX }, 'x', 'xb\n\n\nxb', 2],
      ['a\n\n\nb', { query: '\\n\\n+', ...REGEX }, '', 'ab', 1],
      ['a\n\nb\n', { query: '\\n', ...REGEX }, '', 'ab', 3],
    ] as const)
      assert.deepEqual(await replaced(text, query, replacement), { text: after, count }, text);
  });

  it('leaves matches that touch redacted text', async () => {
    for (const [text, query, after, count] of [
      ['key [redacted]\na red\n', 'red', 'key [redacted]\na x\n', 1],
      ['a[redacted]', 'a', 'a[redacted]', 0],
      ['a [redacted]', 'a', 'x [redacted]', 1],
    ] as const)
      assert.deepEqual(await replaced(text, { query }, 'x'), { text: after, count });
  });

  it('refuses a text that ripgrep cannot print as it is, and a line of megabytes', async () => {
    await assert.rejects(replaced('a \ud800', { query: 'a' }, 'b'), /ripgrep cannot replace this text/);
    await assert.rejects(replaced('a'.repeat(5_000_000), { query: 'b' }, 'c'), /a line is too long/);
  });
});
