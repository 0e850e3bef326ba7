import assert from 'node:assert/strict';
import { searchText } from '../../../../src/features/files/searchText.ts';
import { CALL, cleanUp, openWindow, type Tree, textsOf } from '../window.ts';

const TREE = {
  'a.ts': 'one\ntwo\nthree\nfour\nTwo fold\n',
  'sub/b.py': 'import two\r\n',
  '.gitignore': 'out/\n',
  'out/c.ts': 'two',
  '.env': 'two=secret',
};
const search = async (args: object, tree: Tree = TREE) =>
  textsOf(await openWindow(tree).run(searchText, args));

describe('features/files/searchText', () => {
  afterEach(cleanUp);

  const QUERIES: [what: string, args: object, expected: string[]][] = [
    ['groups by file', { query: 'two' }, ['a.ts', '2: two', '5: Two fold', '', 'sub/b.py', '1: import two']],
    ['minds case', { query: 'Two', caseSensitive: true }, ['a.ts', '5: Two fold']],
    ['minds case if the query has capitals', { query: 'Two' }, ['a.ts', '5: Two fold']],
    [
      'ignores case if it is told to',
      { query: 'TWO', include: ['sub'], caseSensitive: false },
      ['sub/b.py', '1: import two'],
    ],
    [
      'says that it minds case',
      { query: 'TWO' },
      ['No hit for "TWO" with these capitals. caseSensitive false ignores case.'],
    ],
    ['minds whole words', { query: 'fo', wholeWord: true }, ['No hit for "fo".']],
    ['leaves out what it is told', { query: 'two', exclude: ['sub'] }, ['a.ts', '2: two', '5: Two fold']],
    [
      'takes an empty glob for none',
      { query: 'Two', caseSensitive: true, exclude: [''] },
      ['a.ts', '5: Two fold'],
    ],
    ['takes ./ for the top', { query: 'two', include: ['./*.py'] }, ['No hit for "two".']],
    [
      'shows context, and where lines are left out',
      { query: 'two', include: ['a.ts'], contextLines: 1 },
      ['a.ts', '1- one', '2: two', '3- three', '4- four', '5: Two fold'],
    ],
    [
      'marks a gap',
      { query: '^one|fold', isRegex: true, contextLines: 1 },
      ['a.ts', '1: one', '2- two', '--', '4- four', '5: Two fold'],
    ],
  ];
  for (const [what, args, expected] of QUERIES)
    it(what, async () => assert.deepEqual((await search(args))[0]?.split('\n'), expected));

  it('stops at the limit, says what is left, shows no context of what it leaves out, and shortens long lines', async () => {
    const tree = { 'a.ts': 'x\n1\n2\n3\nx\n', 'b.ts': '1\nx\n' };
    const [first, note] = await search({ query: 'x', limit: 1, contextLines: 1 }, tree);
    assert.deepEqual(first?.split('\n'), ['a.ts', '1: x', '2- 1']);
    assert.match(note ?? '', /^1 of 3 hits\./);
    const [second] = await search({ query: 'x', limit: 2, contextLines: 1 }, tree);
    assert.deepEqual(second?.split('\n'), ['a.ts', '1: x', '2- 1', '--', '4- 3', '5: x']);
    const [long = ''] = await search({ query: 'needle' }, { a: `needle ${'😀'.repeat(500)}` });
    assert.match(long, /… \(column 1 of 1007\)$/);
    assert.equal(long, Buffer.from(long).toString(), 'no character is cut in two');
  });

  it('ends when it is cancelled, refuses NUL and more than 10,000 characters, and more than 100 globs of 1000 characters each', async () => {
    const cancelled = { ...CALL, signal: AbortSignal.abort() };
    await assert.rejects(openWindow(TREE).run(searchText, { query: 'x' }, cancelled), /cancelled/);
    for (const query of ['a\0', 'x'.repeat(10_001)])
      assert.equal(searchText.input.safeParse({ query }).success, false);
    for (const name of ['include', 'exclude']) {
      const parse = (...globs: string[]) => searchText.input.safeParse({ query: 'a', [name]: globs });
      assert.ok(parse(...Array(100).fill('x'.repeat(1000))).success);
      for (const globs of [['\0'], ['x'.repeat(1001)], Array(101).fill('x')])
        assert.match(parse(...globs).error?.issues[0]?.message ?? '', /\b(100 items|1000 characters|NUL)/);
    }
  });

  it('says what is left out where something is redacted', async () => {
    const window = openWindow({ a: 'word', b: 'word b' });
    const of = async (query: string) => textsOf(await window.run(searchText, { query, isRegex: true }));
    window.fake.person.sets('workspaceMcp.access.redact', ['b']);
    assert.deepEqual(await of('word b'), ['No hit for "word b".']);
    assert.deepEqual(await of('x\\n'), [
      'No hit for "x\\n".',
      'Files with redacted text were not searched, because the query may match several lines.',
    ]);
    const { search } = window.ctx.files;
    window.ctx.files.search = (query, signal) => {
      query.onNote?.('Some files were not searched.');
      return search.call(window.ctx.files, query, signal);
    };
    assert.deepEqual(await of('word'), [
      'a\n1: word\n\nb\n1: word [redacted]',
      'Some files were not searched.',
    ]);
  });
});
