import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Explanation, explainAccess } from '../../../src/workspace/explainAccess.ts';
import { endRunsSoon } from '../../fakes/runBounded.ts';
import { type FakeOptions, FakeVscode } from '../../fakes/vscode.ts';
import { itWithLinks } from '../../temporary.ts';
import { cleanUp, folderWith, openWindow } from './openWindow.ts';

const ACCESS = 'workspaceMcp.access';
const set = (name: string, value: unknown) => ({ [`${ACCESS}.${name}`]: value });

const SECRET = { by: 'secret', reason: 'Environment variables, often with passwords' } as const;
const TOOLS = { by: 'table', reason: 'Editor settings, tasks and dev containers' } as const;

/** Why something is not as open as other files. */
const WHYS = 'closed kind unlisted tooLarge readOff editOff redaction guard target'.split(
  ' ',
) as (keyof Explanation)[];

describe('workspace/explainAccess', () => {
  endRunsSoon();
  afterEach(cleanUp);

  const tree = {
    'src/a.ts': 'x'.repeat(100),
    '.env': '',
    '.gitignore': 'ignored',
    'ignored/x': '',
    'private/b.ts': '',
    '.vscode/settings.json': '',
    'data/x': '',
    'logo.png': Buffer.from([0, 1]),
  };

  async function explain(path: string, options: Partial<FakeOptions> = {}): Promise<Explanation> {
    const ws = folderWith(tree);
    mkdirSync(join(ws, 'empty'));
    const fake = FakeVscode.create({ folders: [ws], ...options });
    const uri = fake.api.Uri.file(path.startsWith('/') ? resolve(path) : join(ws, path));
    const explanation = await explainAccess(fake.api, [join(ws, 'data')], uri);
    assert.equal(fake.listeners, 0);
    return explanation;
  }

  const CLOSED = (reason: object, levels: string[] = []) => ({ closed: { reason, levels } }) as never;
  const workspace = (name: string, value: unknown) => ({ workspace: set(name, value) });
  const SIZES = { user: set('maxFileSize', 5000), ...workspace('maxFileSize', 50) };
  const PATTERNS = { user: set('redact', ['x{30}']), ...workspace('redact', ['q']) };
  const GLOB = { by: 'guardedPaths', glob: 'SRC/**' } as const;
  const cases: [string, string, Partial<Explanation>, Partial<FakeOptions>?][] = [
    ['an open file', 'src/a.ts', { path: 'src/a.ts', isMissing: false }],
    ['a secret', '.env', CLOSED(SECRET)],
    ['what lies outside', '/etc/hosts', CLOSED({ by: 'outside' })],
    ['data of the editor', 'data/x', CLOSED({ by: 'editor data' })],
    ['what is ignored', 'ignored/x', { unlisted: 'ignored' }],
    ['a folder', 'src', { path: 'src', kind: 'folder' }],
    ['an empty one', 'empty', { kind: 'folder', unlisted: 'empty' }],
    ['what is no text', 'logo.png', { kind: 'binary' }],
    ['what is not there', 'none.ts', { isMissing: true }],
    ['what configures tools', '.vscode/settings.json', { guard: { guarded: TOOLS, levels: [] } }],
    [
      'what a setting guards, in any case',
      'src/a.ts',
      { guard: { guarded: GLOB, levels: ['workspace'] } },
      workspace('guardedPaths', ['SRC/**']),
    ],
    ['what is too large', 'src/a.ts', { tooLarge: { size: 100, limit: 50, levels: ['workspace'] } }, SIZES],
    [
      'what is switched off',
      'src/a.ts',
      { editOff: { by: 'allowedOperations', levels: ['workspace'] } },
      workspace('allowedOperations', ['read']),
    ],
    ['what is redacted', 'src/a.ts', { redaction: { places: 1, levels: ['user', 'workspace'] } }, PATTERNS],
    ['that nothing of it is redacted', 'ignored/x', { unlisted: 'ignored' }, PATTERNS],
    [
      'what keeps everything from being read',
      'src/a.ts',
      { redaction: { broken: 'Unterminated group', levels: ['folder'] } },
      { folder: set('redact', ['(']) },
    ],
    ['a workspace without trust', 'src/a.ts', { editOff: { by: 'trust', levels: [] } }, { isTrusted: false }],
  ];
  for (const [what, path, expected, options] of cases)
    it(`explains ${what}`, async () => {
      const explanation = await explain(path, options);
      assert.partialDeepStrictEqual(explanation, expected);
      for (const why of WHYS) assert.equal(explanation[why] !== undefined, why in expected, why);
    });

  it('names the glob, and every level that has it; that of a folder that is open alone once', async () => {
    const settings = set('deniedPaths', ['other', 'private']);
    const { closed } = await explain('private/b.ts', { user: settings, folder: settings });
    const reason = { by: 'deniedPaths', glob: 'private' };
    assert.partialDeepStrictEqual(closed, { reason, levels: ['user', 'folder'] });
    const alone = await explain('private/b.ts', { workspace: settings, folder: settings });
    assert.deepEqual(alone.closed?.levels, ['workspace']);
  });

  it('takes a path as agents write it, and what is in the editor alone', async () => {
    const [one, two] = [folderWith({ 'a.ts': '' }), folderWith({ 'b.ts': '' })];
    const folders = Object.entries({ one, two }).map(([name, path]) => ({ path, name }));
    const { fake } = openWindow({ folders });
    const explain = (path: string) => explainAccess(fake.api, [], path);
    for (const path of ['two/b.ts', 'b.ts', join(two, 'b.ts'), `${fake.api.Uri.file(join(two, 'b.ts'))}`])
      assert.partialDeepStrictEqual(await explain(path), { path: 'two/b.ts', isMissing: false }, path);
    assert.partialDeepStrictEqual(await explain('none.ts'), { isMissing: true });
    assert.partialDeepStrictEqual(await explain('untitled:Untitled-1'), { isMissing: true });
    fake.person.opensUntitled('Untitled-1');
    const { closed, unlisted, isMissing } = await explain('untitled:Untitled-1');
    assert.deepEqual([closed, unlisted, isMissing], [undefined, undefined, false]);
  });

  it('says of patterns that do not come to an end that nothing is read', async () => {
    const ws = folderWith({ 'slow.txt': `${'a'.repeat(50)}!` });
    const { fake } = openWindow({ folders: [ws], user: set('redact', ['(a+)+$']) });
    const { redaction } = await explainAccess(fake.api, [], 'slow.txt');
    assert.match(String(redaction && 'broken' in redaction && redaction.broken), /took longer than 1000 ms/);
  });

  itWithLinks(
    'tells where a link leads, and judges that, but not of the one by which a folder was opened',
    async () => {
      const ws = folderWith(tree);
      symlinkSync('.env', join(ws, 'harmless.txt'));
      symlinkSync('src', join(ws, 'lib'));
      const link = join(folderWith(), 'ws');
      symlinkSync(folderWith(tree), link);
      const { fake } = openWindow({ folders: [ws, link] });
      const explain = (path: string) => explainAccess(fake.api, [], fake.api.Uri.file(path));
      const harmless = await explain(join(ws, 'harmless.txt'));
      const closed = { reason: { by: 'secret' } };
      assert.partialDeepStrictEqual(harmless, { target: join(ws, '.env'), closed });
      const { target, unlisted } = await explain(join(ws, 'lib/a.ts'));
      assert.deepEqual([target, unlisted], [join(ws, 'src/a.ts'), 'link']);
      const opened = await explain(join(link, 'src/a.ts'));
      assert.deepEqual([opened.target, opened.unlisted], [undefined, undefined]);
    },
  );
});
