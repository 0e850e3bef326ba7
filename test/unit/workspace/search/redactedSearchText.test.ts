import assert from 'node:assert/strict';
import { join } from 'node:path';
import { REDACTED } from '../../../../src/access/redaction/redaction.ts';
import { CancelledError } from '../../../../src/core/errors.ts';
import type { Files } from '../../../../src/workspace/files.ts';
import { MOST_HITS } from '../../../../src/workspace/search/ripgrepEvents.ts';
import type { SearchQuery } from '../../../../src/workspace/search/searchQuery.ts';
import { cleanUp, folderWith, openWindow, write } from '../openWindow.ts';

function open(tree: Record<string, string | Buffer>, redact: readonly string[], more: object = {}) {
  const ws = folderWith(tree);
  return { ws, ...openWindow({ folders: [ws], user: { 'workspaceMcp.access.redact': redact, ...more } }) };
}

const search = (files: Files, query: Partial<SearchQuery>, signal = new AbortController().signal) =>
  files.search(
    {
      ...{ query: '', isRegex: false, caseSensitive: false, wholeWord: false, include: [], exclude: [] },
      contextLines: 0,
      ...query,
    },
    signal,
  );

const find = async (files: Files, query: Partial<SearchQuery>): Promise<string[]> =>
  (await search(files, query)).map(({ path, line, text, hit }) => `${path}:${line}${hit ? ':' : '-'}${text}`);

describe('access/redactedHits: encodings', () => {
  afterEach(cleanUp);

  const wide = Buffer.from('\ufefffree tok-5word end', 'utf16le');
  const inWide = (bytes: Uint8Array) => new TextDecoder('utf-16le').decode(bytes);

  it('redacts UTF-16 that is open in an editor', async () => {
    const { ws, fake, files } = open({ 'w.txt': 'x' }, ['tok-\\w+']);
    Object.assign(fake.person.loads(join(ws, 'w.txt')), { encoding: 'utf16le' });
    fake.decodes = inWide;
    write(join(ws, 'w.txt'), wide);
    assert.deepEqual(await find(files, { query: 'free' }), [`w.txt:1:free ${REDACTED} end`]);
    write(join(ws, 'w.txt'), Buffer.from(wide).swap16());
    assert.deepEqual(await find(files, { query: 'free' }), [`w.txt:1:free ${REDACTED} end`]);
    assert.deepEqual(await find(files, { query: '5word' }), []);
  });

  for (const [encoding, decodes] of [
    ['utf16le', inWide],
    ['windows1251', (bytes: Uint8Array) => new TextDecoder('windows-1251').decode(bytes)],
  ] as const)
    it(`redacts UTF-8, whole or in part, and UTF-16 where files.encoding is ${encoding}`, async () => {
      const text = 'free пароль: hunter2 end\n';
      const tree = {
        'a.txt': text,
        'mixed.txt': Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x80, 10])]),
        'w.txt': Buffer.from(`\ufeff${text}`, 'utf16le'),
      };
      const { fake, files } = open(tree, ['(?<=пароль: )\\w+'], { 'files.encoding': encoding });
      fake.decodes = decodes;
      const found = await find(files, { query: 'free|\\xff', isRegex: true, contextLines: 1 });
      assert.doesNotMatch(found.join('\n'), /hunter/);
      assert.ok(found.includes(`a.txt:1:free пароль: ${REDACTED} end`));
    });

  it('finds nothing in a line with redacted text by what it is read as alone', async () => {
    const bytes = Buffer.from('\xea\xe5\xf9: hunter2 end\n\xea end\n', 'latin1');
    const { fake, files } = open({ 'a.txt': bytes }, ['(?<=кещ: )\\w+']);
    fake.decodes = (all) => new TextDecoder('windows-1251').decode(all);
    assert.deepEqual(await find(files, { query: 'end', contextLines: 1 }), [
      `a.txt:1-кещ: ${REDACTED} end`,
      'a.txt:2:\xea end',
    ]);
  });

  it('tells nothing by a line that begins with a byte order mark', async () => {
    const said = ['aaa', '-aa'].map((secret) => {
      const { files } = open({ 'a.txt': `\ufeff\ufeffkey ${secret} end\n` }, ['(?<=key )\\S+']);
      return find(files, { query: 'key \\B|x', isRegex: true });
    });
    assert.deepEqual(await said[0], await said[1]);
    const { files } = open({ 'a.txt': '\ufeff\ufeffkey aaa end\n' }, ['(?<=key )\\S+']);
    assert.deepEqual(await find(files, { query: 'end' }), [`a.txt:1:\ufeffkey ${REDACTED} end`]);
  });
});

describe('access/redactedHits: limits', () => {
  afterEach(cleanUp);

  const many = 'x\n'.repeat(MOST_HITS + 5_000);
  const TREES: Record<string, Record<string, string>> = {
    'of another file': { 'a.txt': 'tok-5word\n', 'b.txt': many },
    'of the same file, before them': { 'a.txt': `tok-5word\n${many}` },
    'of the same file, among others that may be shown': {
      'a.txt': `tok-5word\n${'tok-abc x\n'.repeat(6_000)}${many}`,
    },
    'of a file with nothing else': { 'a.txt': 'tok-5word\n'.repeat(MOST_HITS + 5_000), 'b.txt': 'x\n' },
  };
  for (const [where, tree] of Object.entries(TREES))
    it(`counts no hit in redacted text: ${where}`, async () => {
      const { files } = open(tree, ['tok-\\w+']);
      const answers = await Promise.all(
        ['tok-5word', 'tok-other'].map((guess) => search(files, { query: `x$|${guess}`, isRegex: true })),
      );
      const [right, wrong] = answers.map((lines) => lines.map(({ line, text }) => `${line} ${text}`));
      const enough = 'b.txt' in tree && tree['b.txt'] === 'x\n' ? 1 : MOST_HITS;
      assert.equal(right?.length, enough);
      assert.ok(right.join('\n') === wrong?.join('\n'));
    });

  it('shows lines around hits that come in several parts', async () => {
    const { files } = open({ 'a.txt': `${'x tok-5word\n'.repeat(3_000)}last\n` }, ['tok-\\w+']);
    const lines = await search(files, { query: 'x ', contextLines: 1 });
    assert.deepEqual(
      lines.map(({ line }) => line),
      [],
    );
    const found = await search(files, { query: '^x|last', isRegex: true, contextLines: 1 });
    assert.deepEqual([found.length, found.filter(({ hit }) => hit).length], [3_001, 3_001]);
  });

  const slow = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`f${at}.txt`, `free ${'a'.repeat(40)}!\n`]),
  );

  it('leaves out files where redacting takes too long in all, and says so', async () => {
    const { files } = open(slow, ['(a+)+$']);
    let said = 0;
    const started = performance.now();
    assert.deepEqual(await search(files, { query: 'free', onSlow: () => said++ }), []);
    assert.ok(performance.now() - started < 4_000);
    assert.ok(said > 0);
  });

  it('stops redacting where it is cancelled', async () => {
    const { files } = open(slow, ['(a+)+$']);
    const cancelled = new AbortController();
    let said = 0;
    const searching = search(files, { query: 'free', onSlow: () => said++ }, cancelled.signal);
    setTimeout(() => cancelled.abort(), 100);
    await assert.rejects(searching, CancelledError);
    assert.ok(said <= 1);
  });
});
