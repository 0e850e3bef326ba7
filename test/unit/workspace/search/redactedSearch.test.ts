import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { REDACTED } from '../../../../src/access/redaction/redaction.ts';
import type { Files } from '../../../../src/workspace/files.ts';
import type { SearchQuery } from '../../../../src/workspace/search/searchQuery.ts';
import { cleanUp, folderWith, openWindow, write } from '../openWindow.ts';

const SECRET = 'hunter2';
const tree = (secret: string) => ({
  'a.txt': `before\npassword=${secret} end\nafter\nplain end\n`,
  'crlf.txt': `x\r\npassword=${secret}\r\nplain\r\n`,
  'key.txt': `BEGIN ${secret}\n${secret}\n\nEND tail\nplain\n`,
  'long.txt': `${'a'.repeat(400)} password=${secret} ${'b'.repeat(400)}\n`,
  'utf16.txt': Buffer.from(`\ufeffpassword=${secret} end\nplain\n`, 'utf16le'),
  'latin.txt': Buffer.from(`é\npassword=${secret} end\nplain\n`, 'latin1'),
  'none.txt': 'plain\nhunter of redacted things\n',
});

function open(secret = SECRET) {
  const ws = folderWith(tree(secret));
  const user = { 'workspaceMcp.access.redact': ['(?<=password=)\\S+', 'BEGIN[^]*?END'] };
  return { ws, ...openWindow({ folders: [ws], user }) };
}

const find = async (files: Files, query: Partial<SearchQuery>): Promise<string[]> => {
  const all = { query: '', isRegex: false, caseSensitive: false, wholeWord: false };
  const asked = { ...all, include: [], exclude: [], contextLines: 0, ...query };
  const lines = await files.search(asked, new AbortController().signal);
  return lines.map(({ path, line, text, hit }) => `${path}:${line}${hit ? ':' : '-'}${text}`);
};

describe('access/redactedHits', () => {
  afterEach(cleanUp);

  it('finds what stands beside redacted text, and shows that redacted', async () => {
    const { files } = open();
    assert.deepEqual(await find(files, { query: 'end' }), [
      `a.txt:2:password=${REDACTED} end`,
      'a.txt:4:plain end',
      `latin.txt:2:password=${REDACTED} end`,
      `utf16.txt:1:password=${REDACTED} end`,
    ]);
    assert.deepEqual(await find(files, { query: 'passw', include: ['crlf.txt'] }), [
      `crlf.txt:2:password=${REDACTED}`,
    ]);
    const [long = ''] = await find(files, { query: 'passw', include: ['long.txt'] });
    assert.match(long, /a password=\[redacted\] b+… \(column 402 of 821\)$/);
    assert.deepEqual(await find(files, { query: 'tail' }), [`key.txt:4:${REDACTED} tail`]);
  });

  it('shows lines around a hit redacted', async () => {
    const { files } = open();
    const found = await find(files, { query: 'before', contextLines: 2 });
    assert.deepEqual(found, ['a.txt:1:before', `a.txt:2-password=${REDACTED} end`, 'a.txt:3-after']);
  });

  it('finds neither redacted text nor [redacted]', async () => {
    const { files } = open();
    for (const query of [SECRET, 'hunter2', 'h', '=h', '=hunter', 'redacted]', '[red', '=', '\uffff'])
      for (const contextLines of [0, 2]) {
        const found = await find(files, { query, contextLines });
        assert.doesNotMatch(found.join('\n'), /hunter2/, query);
        if (query !== 'h') assert.deepEqual(found, [], query);
      }
  });

  it('leaves out files with redacted text where the query may be of several lines', async () => {
    const { files } = open();
    const found = await find(files, { query: 'plain\\n', isRegex: true });
    assert.deepEqual(found, ['none.txt:1:plain']);
  });

  it('redacts unsaved text', async () => {
    const { ws, fake, files } = open();
    const document = fake.person.loads(join(ws, 'none.txt'));
    fake.person.types(document, 'password=swordfish here\r\nfree\n');
    assert.deepEqual(await find(files, { query: 'here' }), [`none.txt:1:password=${REDACTED} here`]);
    assert.deepEqual(await find(files, { query: 'swordfish' }), []);
    assert.deepEqual(await find(files, { query: 'free' }), ['none.txt:2:free']);
  });

  it('refuses to search where a pattern is broken, and leaves out what cannot be redacted in time', async () => {
    const { ws, fake, files } = open();
    fake.person.sets('workspaceMcp.access.redact', ['(']);
    await assert.rejects(find(files, { query: 'zzz' }), /workspaceMcp\.access\.redact/);
    fake.person.sets('workspaceMcp.access.redact', ['^(a+)+$']);
    write(join(ws, 'slow.txt'), `${'a'.repeat(60)}b plain\n`);
    assert.deepEqual(await find(files, { query: 'plain', include: ['slow.txt', 'a.txt'] }), [
      'a.txt:4:plain end',
    ]);
  });

  const QUERIES: Partial<SearchQuery>[] = [
    ...['h', 'hun', 'hunter2', '=hunter2', 'hunter2 end', 'r2 end'].map((query) => ({ query })),
    ...[
      '\\[redacted\\]|hunter2',
      '^BEGIN|hunter2',
      'end$|hunter2',
      '\\bend|hunter2',
      '[^h]end|hun',
      '.{30}|hun',
      '^.{20}$|^$',
      'password=(hunter2)?',
      'password=[a-h]',
      'x*|hunter2',
      '(?-u:\\xBF)|hunter2',
      '\\uffff|hunter2',
      '(?m)^|hunter2',
      'hunter2\\nEND|plain',
      '\\S+ end',
      'tail|hunter2',
    ].map((query) => ({ query, isRegex: true })),
    { query: 'hunter2', wholeWord: true },
    { query: 'password', wholeWord: true },
    { query: 'end|hunter2', isRegex: true, wholeWord: true },
  ];

  it('answers the same whatever is redacted', async () => {
    const [one, other] = [open('hunter2'), open('zz-9/x')];
    for (const query of QUERIES)
      for (const contextLines of [0, 1, 3]) {
        const asked = { ...query, contextLines, exclude: ['long.txt'] };
        assert.deepEqual(await find(one.files, asked), await find(other.files, asked), JSON.stringify(asked));
      }
  });

  it('answers the same whatever is redacted, to any expression', async () => {
    const [one, other] = [open('hunter2'), open('a.b')];
    const atom = fc.constantFrom(
      'h',
      'u',
      'hunter',
      '2',
      '=',
      '.',
      '\\b',
      '^',
      '$',
      '\\w',
      '[^a]',
      'end',
      ' ',
      '\\[',
      '\\]',
      'd',
    );
    const many = fc.constantFrom('', '', '*', '?', '+');
    const branch = fc.array(
      fc.tuple(atom, many).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 4 },
    );
    const query = fc
      .array(
        branch.map((parts) => parts.join('')),
        { minLength: 1, maxLength: 2 },
      )
      .map((all) => all.join('|'));
    await fc.assert(
      fc.asyncProperty(query, fc.nat(2), fc.boolean(), async (query, contextLines, wholeWord) => {
        const asked = { query, isRegex: true, contextLines, wholeWord, exclude: ['long.txt'] };
        const answers = [one, other].map(({ files }) =>
          find(files, asked).catch((error: Error) => [error.message]),
        );
        const [a, b] = await Promise.all(answers);
        assert.deepEqual(a, b);
      }),
      { numRuns: 60 },
    );
  });
});
