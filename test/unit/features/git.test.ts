import assert from 'node:assert/strict';
import { UserError } from '../../../src/core/errors.ts';
import { changes } from '../../../src/features/git.ts';
import { write } from '../workspace/openWindow.ts';
import { change, DELETED, MODIFIED, opensGit, RENAMED, UNTRACKED } from './git.ts';
import { ipynb, opensNotebook } from './notebooks.ts';
import { follow, listed, read, soon } from './resources.ts';
import { CALL, cleanUp, openWindow } from './window.ts';

const TREE = {
  'src/a.ts': 'one\ntwo\n',
  'new.txt': 'n\n',
  'logo.png': Buffer.from([0, 1]),
  '.env': 'SECRET=1',
};

/** A repository in the folder, with these files changed since the last commit. */
function withGit(changed: Record<string, number | [number, former: string]> = {}, options = {}) {
  const window = openWindow(TREE, options);
  const repository = opensGit(window);
  repository.looks(
    Object.entries(changed).map(([file, how]) =>
      typeof how === 'number' ? change(window, file, how) : change(window, file, ...how),
    ),
  );
  return {
    ...window,
    repository,
    commits(texts: Record<string, string>) {
      for (const [file, text] of Object.entries(texts)) repository.committed.set(window.path(file), text);
    },
    diff: (file: string): Promise<string> => read(changes, `changes/${file}`, window),
    all: async () => (await read(changes, 'changes', window)).repositories,
    types: (text: string) =>
      window.fake.person.types(window.fake.person.loads(window.path('src/a.ts')), text),
  };
}

describe('features/git: changes', () => {
  afterEach(cleanUp);

  it('are those of the source control view, without what is closed, narrowed by the roots of the client', async () => {
    const changed = { 'src/a.ts': MODIFIED, 'new.txt': UNTRACKED, 'gone.txt': DELETED, '.env': MODIFIED };
    const window = withGit(changed);
    window.repository.state.indexChanges = [change(window, 'logo.png', RENAMED, 'old.png')];
    assert.deepEqual(await window.all(), [
      {
        root: '.',
        branch: 'main',
        commit: 'abc123',
        changes: [
          { path: 'logo.png', status: 'staged: renamed', from: 'old.png' },
          { path: 'src/a.ts', status: 'modified' },
          { path: 'new.txt', status: 'untracked' },
          { path: 'gone.txt', status: 'deleted' },
        ],
      },
    ]);
    const roots: string[] = [];
    const narrow = withGit({}, { roots });
    narrow.repository.looks([change(narrow, 'src/a.ts'), change(narrow, 'new.txt')]);
    roots.push(narrow.path('src'));
    assert.deepEqual(await narrow.all(), [
      { branch: 'main', commit: 'abc123', changes: [{ path: 'src/a.ts', status: 'modified' }] },
    ]);
  });

  it('are shown as a diff with what is not saved', async () => {
    const window = withGit({ 'src/a.ts': MODIFIED });
    window.commits({ 'src/a.ts': 'one\r\ntwo\r\n' });
    assert.equal(await window.diff('src/a.ts'), '', 'but for the ends of its lines');
    window.types('one\n2\n');
    const diff = await window.diff('src/a.ts');
    assert.match(diff, /^--- src.*\n\+\+\+ src.*\n@@ -1,2 \+1,2 @@\n one\n-two\n\+2\n$/);
    const result = await changes.read('editor-state:///changes/src/a.ts', window.ctx, CALL);
    assert.equal(result?.contents[0]?.mimeType, 'text/x-diff');
  });

  it('are those of its cells in a notebook, unsaved ones too', async () => {
    const window = withGit({ 'a.ipynb': MODIFIED });
    write(window.path('a.ipynb'), ipynb('two'));
    window.commits({ 'a.ipynb': ipynb('one') });
    assert.match(await window.diff('a.ipynb'), /@@\n --- cell 1 \(code\)\n-one\n\+two\n$/);
    opensNotebook(window, 'a.ipynb', 'typed');
    assert.match(await window.diff('a.ipynb'), /\n-one\n/);
    assert.match(await window.diff('a.ipynb'), /\n\+typed\n$/);
    window.commits({ 'a.ipynb': '{' });
    assert.match(await window.diff('a.ipynb'), /\n-\{\n/, 'as text where it is none');
  });

  it('have a diff of what is new, deleted, renamed, emptied, or binary', async () => {
    const window = withGit({ 'new.txt': UNTRACKED, 'gone.txt': DELETED, 'src/a.ts': [RENAMED, 'src/b.ts'] });
    window.commits({ 'gone.txt': 'a\nb\n', 'src/b.ts': 'one\n', 'logo.png': 'x' });
    assert.equal(await window.diff('new.txt'), '--- /dev/null\n+++ new.txt\n@@ -0,0 +1,1 @@\n+n\n');
    assert.equal(await window.diff('gone.txt'), '--- gone.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n');
    assert.match(await window.diff('src/a.ts'), /@@\n one\n\+two\n$/);
    window.commits({ 'src/b.ts': '' });
    assert.match(await window.diff('src/a.ts'), /^--- src.*\n\+\+\+ src.*\n@@ -0,0 \+1,2 @@\n\+one\n/);
    window.commits({ 'src/b.ts': 'one\n' });
    write(window.path('src/a.ts'), '');
    assert.match(await window.diff('src/a.ts'), /^--- src.*\n\+\+\+ src.*\n@@ -1.* \+0,0 @@\n-one\n$/);
    for (const refusal of ['', 'Stream is binary but only text is accepted for decoding']) {
      if (refusal) Object.assign(window.repository, { refusal });
      assert.match(await window.diff('logo.png'), /^Binary files a\/logo\.png and b\/logo\.png differ/);
    }
  });

  it('show nothing of a closed file, not what another one was once either', async () => {
    const window = withGit({ 'new.txt': [RENAMED, '.env'], '.env.local': DELETED });
    window.commits({ '.env': 'SECRET=1\n', '.env.local': 'SECRET=1\n' });
    assert.deepEqual((await window.all())[0].changes, [{ path: 'new.txt', status: 'staged: renamed' }]);
    window.commits({ 'src/moved.ts': 'one\n' });
    window.repository.looks([change(window, '.env.new', RENAMED, 'src/moved.ts')]);
    // It has gone, and where to is closed.
    assert.deepEqual((await window.all())[0].changes, [{ path: 'src/moved.ts', status: 'staged: deleted' }]);
    assert.match(await window.diff('src/moved.ts'), /\+\+\+ \/dev\/null\n@@ .* @@\n-one\n$/);
    const closed = [change(window, 'new.txt', RENAMED, '.env'), change(window, '.env.local', DELETED)];
    window.repository.looks(closed);
    for (const file of ['.env', '.env.local', 'new.txt'])
      await assert.rejects(window.diff(file), /closed to agents/, file);
  });

  it('do not load what the last commit has if it is larger than agents may read', async () => {
    const window = withGit();
    window.commits({ 'src/a.ts': 'one\n' });
    Object.assign(window.repository, {
      getObjectDetails: async () => ({ size: 300_000_000 }),
      show: () => assert.fail('it is loaded'),
    });
    await assert.rejects(window.diff('src/a.ts'), /src\/a\.ts has 300000000 bytes in the last commit/);
  });

  it('show the whole of a file that the last commit has not, and nothing of what Git says of others', async () => {
    const window = withGit();
    for (const refusal of [
      'Git relative path not found. Was looking for src/a.ts among [\n  ".env",\n  "key.pem"\n]',
      "fatal: path 'src/a.ts' exists on disk, but not in 'HEAD'",
      "fatal: path 'src/a.ts' does not exist in 'HEAD'",
    ]) {
      window.repository.refusal = refusal;
      assert.match(await window.diff('src/a.ts'), /\+one\n\+two\n/, refusal);
    }
    window.repository.refusal = 'Was looking among [".env"]';
    await assert.rejects(window.diff('src/a.ts'), ({ message }: Error) => {
      assert.match(message, /could not read src\/a\.ts from the last commit/);
      return !message.includes('.env');
    });
    await assert.rejects(window.diff('none.ts'), /no file or folder "none\.ts"/);
    await assert.rejects(window.diff('src'), UserError);
  });

  it('are not listed where there is no Git, and say what is missing', async () => {
    const window = openWindow(TREE);
    const key = async () => changes.canonical('editor-state:///changes', window.ctx);
    await assert.rejects(key, /extension "Git" is missing/);
    for (const [state, missing] of [
      [{}, /extension "Git" is missing/],
      [{ isThere: true, enabled: false }, /extension "Git" is missing/],
      [{ enabled: true }, /No Git repository is open/],
    ] as const) {
      Object.assign(window.fake.git, state);
      assert.deepEqual(await listed(changes, window), []);
      await assert.rejects(read(changes, 'changes', window), missing);
    }
    assert.equal(await key(), 'changes', 'can be subscribed to, as after a reload');
    const { told, dispose } = follow(changes, window);
    await soon();
    opensGit(window);
    assert.deepEqual(told, ['changes/~']);
    assert.equal((await listed(changes, window)).length, 1);
    dispose();
  });

  it('are listed once Git has started, which is not waited for, and until the last repository closes', async () => {
    const { fake, repository, ...window } = withGit();
    fake.git.isActive = false;
    let told = 0;
    const watching = changes.watch(window.ctx, () => told++);
    const count = async () => [told, (await listed(changes, { ...window, fake })).length];
    assert.deepEqual(await count(), [0, 0]);
    fake.git.starts();
    await soon();
    assert.deepEqual(await count(), [1, 1]);
    fake.git.closes(fake.git.opens(fake.api.Uri.file(window.path('src'))));
    assert.equal(told, 1);
    fake.git.closes(repository);
    assert.equal(told, 2);
    watching.dispose();
    assert.equal(fake.git.listeners, 0);
  });

  it('are told of where they differ, and not each time that Git looks', async () => {
    const window = withGit({ 'src/a.ts': MODIFIED });
    const { told, dispose } = follow(changes, window);
    await soon();
    const changed = (...files: string[]) =>
      window.repository.looks(files.map((file) => change(window, file)));
    window.repository.looks();
    changed('src/a.ts');
    changed('src/a.ts', '.env');
    assert.deepEqual(told, []);
    changed('src/a.ts', 'new.txt');
    assert.deepEqual(told.splice(0), ['changes/~']);
    const inner = window.fake.git.opens(window.fake.api.Uri.file(window.path('src')));
    inner.looks([change(window, 'src/a.ts')]);
    window.fake.git.closes(inner);
    assert.deepEqual(told, Array(3).fill('changes/~/src'));
    dispose();
    assert.equal(window.fake.git.listeners, 0);
  });
});
