import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { explainAccess } from '../../../src/workspace/explainAccess.ts';
import type { Explanation } from '../../../src/workspace/explanation.ts';
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
    const uri = fake.api.Uri.file(path.startsWith('/') ? path : join(ws, path));
    const explanation = await explainAccess(fake.api, [join(ws, 'data')], uri);
    assert.equal(fake.listeners, 0);
    return explanation;
  }

  const cases: [string, string, Partial<FakeOptions>, Partial<Explanation>][] = [
    ['an open file', 'src/a.ts', {}, { path: 'src/a.ts', isMissing: false }],
    ['a secret', '.env', {}, { closed: { reason: SECRET, levels: [] } }],
    ['what lies outside', '/etc/hosts', {}, { closed: { reason: { by: 'outside' }, levels: [] } }],
    ['data of the editor', 'data/x', {}, { closed: { reason: { by: 'editor data' }, levels: [] } }],
    ['what is ignored', 'ignored/x', {}, { unlisted: 'ignored' }],
    ['a folder', 'src', {}, { path: 'src', kind: 'folder' }],
    ['an empty one', 'empty', {}, { kind: 'folder', unlisted: 'empty' }],
    ['what is no text', 'logo.png', {}, { kind: 'binary' }],
    ['what is not there', 'none.ts', {}, { isMissing: true }],
    ['what configures tools', '.vscode/settings.json', {}, { guard: { guarded: TOOLS, levels: [] } }],
    [
      'what a setting guards, in any case',
      'src/a.ts',
      { workspace: set('guardedPaths', ['SRC/**']) },
      { guard: { guarded: { by: 'guardedPaths', glob: 'SRC/**' }, levels: ['workspace'] } },
    ],
    [
      'what is too large, by the level that says so',
      'src/a.ts',
      { user: set('maxFileSize', 5000), workspace: set('maxFileSize', 50) },
      { tooLarge: { size: 100, limit: 50, levels: ['workspace'] } },
    ],
    [
      'what is switched off',
      'src/a.ts',
      { workspace: set('allowedOperations', ['read']) },
      { editOff: { by: 'allowedOperations', levels: ['workspace'] } },
    ],
    [
      'what is redacted of it',
      'src/a.ts',
      { user: set('redact', ['x{30}']), workspace: set('redact', ['q']) },
      { redaction: { places: 1, levels: ['user', 'workspace'] } },
    ],
    ['that nothing of it is redacted', 'ignored/x', { user: set('redact', ['x']) }, { unlisted: 'ignored' }],
    [
      'what keeps everything from being read',
      'src/a.ts',
      { folder: set('redact', ['(']) },
      { redaction: { broken: 'Unterminated group', levels: ['folder'] } },
    ],
    ['a workspace without trust', 'src/a.ts', { isTrusted: false }, { editOff: { by: 'trust', levels: [] } }],
  ];
  for (const [what, path, options, expected] of cases) {
    it(`explains ${what}`, async () => {
      const explanation = await explain(path, options);
      assert.partialDeepStrictEqual(explanation, expected);
      for (const why of WHYS) assert.equal(explanation[why] !== undefined, why in expected, why);
    });
  }

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

  itWithLinks('tells where a link leads, and judges that', async () => {
    const ws = folderWith(tree);
    symlinkSync('.env', join(ws, 'harmless.txt'));
    symlinkSync('src', join(ws, 'lib'));
    const { fake } = openWindow({ folders: [ws] });
    const explain = (path: string) => explainAccess(fake.api, [], fake.api.Uri.file(join(ws, path)));
    assert.partialDeepStrictEqual(await explain('harmless.txt'), {
      path: 'harmless.txt',
      target: join(ws, '.env'),
      closed: { reason: { by: 'secret' } },
    });
    assert.partialDeepStrictEqual(await explain('lib/a.ts'), {
      target: join(ws, 'src/a.ts'),
      unlisted: 'link',
    });
  });

  itWithLinks('takes the link by which a folder was opened for none', async () => {
    const link = join(folderWith(), 'ws');
    symlinkSync(folderWith(tree), link);
    const { fake } = openWindow({ folders: [link] });
    const explanation = await explainAccess(fake.api, [], fake.api.Uri.file(join(link, 'src/a.ts')));
    assert.deepEqual([explanation.target, explanation.unlisted], [undefined, undefined]);
  });
});
