import assert from 'node:assert/strict';
import { join } from 'node:path';
import { REDACTED } from '../../../../src/access/redaction/redaction.ts';
import { CancelledError } from '../../../../src/core/errors.ts';
import { MOST_HITS } from '../../../../src/workspace/search/ripgrepSearch.ts';
import { endRunsSoon } from '../../../fakes/runBounded.ts';
import { cleanUp, find, folderWith, openWindow, search, write } from '../openWindow.ts';

const tree = (secret: string) => ({
  'a.txt': `before\npassword=${secret} end\nafter\nplain end\n`,
  'crlf.txt': `x\r\npassword=${secret}\r\nplain\r\n`,
  'key.txt': `BEGIN ${secret}\n${secret}\n\nEND tail\nplain\n`,
  'long.txt': `${'a'.repeat(400)} password=${secret} ${'b'.repeat(400)}\n`,
  'utf16.txt': Buffer.from(`\ufeffpassword=${secret} end\nplain\n`, 'utf16le'),
  'none.txt': 'plain\nhunter of redacted things\n',
});

function openTree(tree: Record<string, string | Buffer>, redact: readonly string[], more: object = {}) {
  const ws = folderWith(tree);
  const window = openWindow({ folders: [ws], user: { 'workspaceMcp.access.redact': redact, ...more } });
  window.fake.decodes = inUtf16;
  return { ws, ...window };
}

const inUtf16 = (bytes: Uint8Array) => new TextDecoder('utf-16le').decode(bytes);

const open = (secret = 'hunter2') => openTree(tree(secret), ['(?<=password=)\\S+', 'BEGIN[^]*?END']);

describe('workspace/search/redactedTexts', () => {
  afterEach(cleanUp);

  it('finds what stands beside redacted text, and shows that redacted', async () => {
    const { files } = open();
    const around = await find(files, { query: 'before', contextLines: 2 });
    assert.deepEqual(around, ['a.txt:1:before', `a.txt:2-password=${REDACTED} end`, 'a.txt:3-after']);
    assert.deepEqual(await find(files, { query: 'end' }), [
      `a.txt:2:password=${REDACTED} end`,
      'a.txt:4:plain end',
      `utf16.txt:1:password=${REDACTED} end`,
    ]);
    assert.deepEqual(await find(files, { query: 'passw', include: ['crlf.txt'] }), [
      `crlf.txt:2:password=${REDACTED}`,
    ]);
    const [long = ''] = await find(files, { query: 'passw', include: ['long.txt'] });
    assert.match(long, /a password=\[redacted\] b+… \(column 402 of 821\)$/);
    assert.deepEqual(await find(files, { query: 'tail' }), [`key.txt:4:${REDACTED} tail`]);
  });

  it('finds neither redacted text nor [redacted], nor files with it where the query may be of several lines', async () => {
    const { files } = open();
    for (const query of ['hunter2', 'h', '=h', 'redacted]', '=', '\uffff']) {
      const found = await find(files, { query, contextLines: 2 });
      assert.doesNotMatch(found.join('\n'), /hunter2/, query);
      if (query !== 'h') assert.deepEqual(found, [], query);
    }
    assert.deepEqual(await find(files, { query: 'plain\\n', isRegex: true }), ['none.txt:1:plain']);
  });

  it('redacts unsaved text, and refuses to search where a pattern is broken', async () => {
    const { ws, fake, files } = open();
    const document = fake.person.loads(join(ws, 'none.txt'));
    fake.person.types(document, 'password=swordfish here\r\nfree\n');
    const found = await find(files, { query: 'here|swordfish|free', isRegex: true });
    assert.deepEqual(found, [`none.txt:1:password=${REDACTED} here`, 'none.txt:2:free']);
    fake.person.sets('workspaceMcp.access.redact', ['(']);
    await assert.rejects(find(files, { query: 'zzz' }), /workspaceMcp\.access\.redact/);
  });

  it('answers the same whatever is redacted', async () => {
    const texts = ['h', '=hunter2', 'r2 end'].map((query) => ({ query }));
    const expressions =
      String.raw`\[redacted\]|hunter2 ^BEGIN|hunter2 end$|hunter2 \bend|hunter2 .{30}|hun ^.{20}$|^$
      password=(hunter2)? password=[a-h] x*|hunter2 (?-u:\xBF)|hunter2 \uffff|hunter2 hunter2\nEND|plain`
        .split(/\s+/)
        .map((query) => ({ query, isRegex: true }));
    const words = { query: 'end|hunter2', isRegex: true, wholeWord: true };
    const [one, other] = [open('hunter2'), open('zz-9/x')];
    for (const [index, query] of [...texts, ...expressions, words].entries()) {
      const asked = { ...query, contextLines: index % 3, exclude: ['long.txt'] };
      const [found, others] = await Promise.all([one, other].map(({ files }) => find(files, asked)));
      assert.deepEqual(found, others, JSON.stringify(asked));
    }
  });

  it('leaves out a file that agents read as another text than ripgrep, if it holds redacted text', async () => {
    const text = 'free пароль: hunter2 end\n';
    const tree = {
      'mixed.txt': Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x80, 10])]),
      'utf8.txt': text,
      'wide.txt': Buffer.from(`\ufeff${text}`, 'utf16le'),
      'cyrillic.txt': Buffer.from('free \xef\xe0\xf0\xee\xeb\xfc: hunter2\n', 'latin1'),
      'nul.txt': `free\n${' '.repeat(9_000)}\n\0${text}`,
      'open.txt': Buffer.from('free \xef\xe0\xf0\xee\xeb\xfc: pear\n', 'latin1'),
    };
    const { fake, files } = openTree(tree, ['(?<=пароль: )hun\\w+'], { 'files.encoding': 'windows1251' });
    fake.decodes = (bytes) => new TextDecoder('windows-1251').decode(bytes);
    const found = await find(files, { query: 'free|\\xff|hunter', isRegex: true, contextLines: 1 });
    assert.deepEqual([found.length, found[0]?.slice(0, 15)], [1, 'open.txt:1:free']);
  });

  it('searches UTF-16 that is open in an editor', async () => {
    const { ws, fake, files } = openTree({ 'w.txt': 'x' }, ['tok-\\w+']);
    Object.assign(fake.person.loads(join(ws, 'w.txt')), { encoding: 'utf16le' });
    write(join(ws, 'w.txt'), Buffer.from('\ufefffree tok-5word end', 'utf16le'));
    assert.deepEqual(await find(files, { query: 'free' }), [`w.txt:1:free ${REDACTED} end`]);
    assert.deepEqual(await find(files, { query: '5word' }), []);
  });

  it('tells nothing by a line that begins with a byte order mark', async () => {
    for (const secret of ['aaa', '-aa']) {
      const { files } = openTree({ 'a.txt': `\ufeff\ufeffkey ${secret} end\n` }, ['(?<=key )\\S+']);
      assert.deepEqual(await find(files, { query: 'key \\B|x', isRegex: true }), []);
      assert.deepEqual(await find(files, { query: 'end' }), [`a.txt:1:\ufeffkey ${REDACTED} end`]);
    }
  });

  const many = 'x\n'.repeat(MOST_HITS + 100);
  const TREES: Record<string, [tree: Record<string, string>, hits: number]> = {
    'of another file': [{ 'a.txt': 'tok-5word\n', 'b.txt': many }, MOST_HITS],
    'before others, some of which may be shown': [
      { 'a.txt': `tok-5word\n${'tok-abc x\n'.repeat(200)}${many}` },
      MOST_HITS,
    ],
    'of a file with nothing else': [{ 'a.txt': 'tok-5word\n'.repeat(MOST_HITS + 100), 'b.txt': 'x\n' }, 1],
  };
  for (const [where, [tree, hits]] of Object.entries(TREES))
    it(`counts no hit in redacted text: ${where}`, async () => {
      const { files } = openTree(tree, ['tok-\\w+']);
      const [right, wrong] = await Promise.all(
        ['tok-5word', 'tok-other'].map((guess) => find(files, { query: `x$|${guess}`, isRegex: true })),
      );
      assert.equal(right?.length, hits);
      assert.equal(right.join('\n'), wrong?.join('\n'));
    });

  it('shows lines around hits that come in several parts', async () => {
    const { files } = openTree({ 'a.txt': `${'x tok-5word\n'.repeat(3_000)}last\n` }, ['tok-\\w+']);
    assert.deepEqual(await search(files, { query: 'x ', contextLines: 1 }), []);
    const found = await search(files, { query: '^x|last', isRegex: true, contextLines: 1 });
    assert.deepEqual([found.length, found.filter(({ hit }) => hit).length], [3_001, 3_001]);
  });

  describe('with slow patterns', () => {
    endRunsSoon();

    it('leaves out files on which the patterns run out of time, says so, stops after some, or where it is cancelled', async () => {
      const slow = Array.from({ length: 6 }, (_, at) => [`f${at}.txt`, `free ${'a'.repeat(40)}!\n`]);
      const { files } = openTree({ ...Object.fromEntries(slow), 'a.txt': 'free\n' }, ['(a+)+$']);
      const cancelled = new AbortController();
      const onNote = () => cancelled.abort();
      await assert.rejects(search(files, { query: 'free', onNote }, cancelled.signal), CancelledError);
      let said = 0;
      assert.deepEqual(await search(files, { query: 'free', exclude: ['a.txt'], onNote: () => said++ }), []);
      const found = await find(files, { query: 'free', include: ['a.txt', 'f0.txt'] });
      assert.deepEqual([found, said], [['a.txt:1:free'], 3]);
    });
  });
});
