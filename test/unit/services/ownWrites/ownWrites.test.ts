import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OwnWrites } from '../../../../src/services/ownWrites/ownWrites.ts';
import { type AgentEdit, type Deed, Journal, makerOf } from '../../../../src/workspace/edit/journal.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { silent } from '../../log.ts';
import { cleanUp, folderWith, write } from '../../workspace/openWindow.ts';

const AUTHOR = { id: 1, agent: 'Claude Code' };
const OTHER = { id: 2, agent: 'Codex' };

/** The texts before and after, or what became of a file. */
const shown = (deed: Deed): string[] => {
  if (deed.type === 'edit') return [deed.path, deed.before, deed.after];
  const texts = 'files' in deed ? (deed.files ?? []).map(({ bytes }) => `${bytes}`) : [];
  return [deed.path, deed.type, ...texts];
};
const told = (edit: AgentEdit) => [makerOf(edit).agent, edit.tool, ...edit.deeds.map(shown).sort()];

describe('services/ownWrites/ownWrites: what an agent writes with its own tools', () => {
  let root: string;
  let fake: FakeVscode;
  let journal: Journal;
  let writes: OwnWrites;

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe' });
  const put = (path: string, text: string | Buffer) => write(join(root, path), text);
  const edit = { key: '1', tool: 'Edit', at: undefined as number | undefined };
  const shell = { key: '2', tool: 'Bash: make', at: undefined as number | undefined };
  const around = async (call: typeof edit, paths: string[] | undefined, run: () => void, author = AUTHOR) => {
    const named = { ...call, cwd: root, paths };
    await writes.before(`${author.id}`, author, named);
    run();
    return writes.after(`${author.id}`, author, named);
  };
  /** What was written before was written before, also by the clock of the disk. */
  const begins = async (session = '1', author = AUTHOR) => {
    await delay(20);
    return writes.begin(session, author, Date.now());
  };
  const recorded = () => journal.edits.map(told);

  /** @param part of it that is the workspace folder: then VS Code has not opened the repository */
  function open(files: Record<string, string | Buffer>, isRepository = true, part = ''): void {
    root = folderWith(files);
    fake = FakeVscode.create({ folders: [join(root, part)] });
    journal = new Journal();
    writes = new OwnWrites({ vscode: fake.api, journal, log: silent });
    if (!isRepository) return;
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message=a');
    fake.git.isThere = true;
    if (part === '') fake.git.opens(fake.api.Uri.file(root));
  }
  afterEach(() => {
    writes.dispose();
    cleanUp();
  });

  it('of a named file has the text of the disk before and after, not the unsaved one', async () => {
    open({ 'a.ts': 'one\r\n', 'b.ts': 'b' }, false);
    fake.person.types(fake.person.loads(join(root, 'a.ts')), 'of the user');
    await around(edit, ['a.ts', join(root, 'new.ts'), '/etc/passwd'], () => {
      put('a.ts', 'two\r\n');
      put('new.ts', 'new');
      put('b.ts', 'of somebody else');
    });
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Edit', ['a.ts', 'one\n', 'two\n'], ['new.ts', 'create', 'new']],
    ]);
  });

  it('of a shell is what Git has as changed: against copies of what was changed before, else against the commit', async () => {
    open({
      'a.ts': 'a',
      'dirty.ts': 'd',
      'gone.ts': 'g',
      'same.ts': 's',
      '.gitignore': 'out\n',
      'x y/ü.ts': 'u',
    });
    put('dirty.ts', 'of the user');
    put('untracked.ts', 'of the user, too');
    put('out/ignored.js', 'i');
    await begins();
    await around(shell, undefined, () => {
      put('a.ts', 'A');
      put('dirty.ts', 'of the agent');
      put('x y/ü.ts', 'U');
      put('made.ts', 'made');
      git('init', '--quiet', 'with its own'); // no file
      put('out/ignored.js', 'I');
      rmSync(join(root, 'gone.ts'));
      rmSync(join(root, 'untracked.ts'));
    });
    assert.deepEqual(recorded(), [
      [
        'Claude Code',
        'Bash: make',
        ['a.ts', 'a', 'A'],
        ['dirty.ts', 'of the user', 'of the agent'],
        ['gone.ts', 'delete', 'g'],
        ['made.ts', 'create', 'made'],
        ['untracked.ts', 'delete', 'of the user, too'],
        ['x y/ü.ts', 'u', 'U'],
      ],
    ]);
    await around(shell, undefined, () => put('a.ts', 'a'));
    assert.deepEqual(recorded().slice(1), [['Claude Code', 'Bash: make', ['a.ts', 'A', 'a']]]);
  });

  it('is followed in a folder of a repository that VS Code has not opened', async () => {
    open({ 'a.ts': 'outside', 'part/a.ts': 'a', 'part/b.ts': 'b' }, true, 'part');
    put('part/b.ts', 'of the user');
    await begins();
    await around(shell, undefined, () => {
      put('a.ts', 'A');
      put('part/a.ts', 'A');
      put('part/b.ts', 'B');
    });
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Bash: make', ['a.ts', 'a', 'A'], ['b.ts', 'of the user', 'B']],
    ]);
  });

  it('is followed in a folder that is a link into such a repository', async function () {
    if (process.platform === 'win32') this.skip(); // links need a right there
    open({ 'part/a.ts': 'a', 'part/b.ts': 'b', 'part/c.ts': 'c' }, true, 'link');
    symlinkSync('part', join(root, 'link'));
    put('part/b.ts', 'of the user');
    await begins();
    await around(shell, undefined, () => {
      put('part/a.ts', 'A');
      put('part/b.ts', 'B');
    });
    await around(edit, [join(root, 'part/c.ts')], () => put('part/c.ts', 'C'));
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Bash: make', ['a.ts', 'a', 'A'], ['b.ts', 'of the user', 'B']],
      ['Claude Code', 'Edit', ['c.ts', 'c', 'C']],
    ]);
  });

  it('is not what another commit has, and not what VS Code saves or creates meanwhile', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
    git('checkout', '--quiet', '-b', 'other');
    put('a.ts', 'of the branch');
    git('commit', '--quiet', '-am', 'b');
    await begins();
    const document = fake.person.loads(join(root, 'b.ts'));
    await around(shell, undefined, () => {
      git('checkout', '--quiet', 'HEAD~1');
      put('b.ts', 'saved');
      fake.person.saves(document);
      put('c.ts', 'C');
      put('new.ts', 'of the user');
      fake.person.changesInExplorer(join(root, 'new.ts'));
    });
    assert.deepEqual(recorded(), [['Claude Code', 'Bash: make', ['c.ts', 'c', 'C']]]);
  });

  it('is not what another commit has of an open file, but what a command changes then', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
    git('checkout', '--quiet', '-b', 'other');
    for (const name of ['a.ts', 'b.ts', 'made.ts']) put(name, 'of the branch');
    git('add', '.');
    git('commit', '--quiet', '-m', 'b');
    git('checkout', '--quiet', '-');
    put('c.ts', 'of the user');
    for (const name of ['a.ts', 'b.ts']) fake.person.loads(join(root, name));
    await begins();
    await around(shell, undefined, () => {
      git('checkout', '--quiet', 'other');
      put('a.ts', 'A');
    });
    await around(shell, undefined, () => {
      git('commit', '--quiet', '-m', 'c', 'a.ts');
      git('checkout', '--quiet', '-f', 'HEAD~2');
    });
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Bash: make', ['a.ts', 'of the branch', 'A']],
      ['Claude Code', 'Bash: make', ['a.ts', 'A', 'a'], ['c.ts', 'of the user', 'c']],
    ]);
  });

  it('is not what the user does while no agent calls a tool, before a turn begins', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b' });
    put('a.ts', 'before');
    await begins('2', OTHER); // and is interrupted
    put('a.ts', 'of the user');
    await begins();
    await around(shell, undefined, () => put('b.ts', 'B'));
    assert.deepEqual(recorded(), [['Claude Code', 'Bash: make', ['b.ts', 'b', 'B']]]);
  });

  it('is not what the user has just saved, before VS Code tells of it', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b' });
    const document = fake.person.loads(join(root, 'a.ts'));
    await begins();
    await around(shell, undefined, () => {
      fake.person.types(document, 'of the user');
      put('a.ts', 'of the user');
      put('b.ts', 'B');
    });
    fake.person.types(document, 'more of the user');
    await around(shell, undefined, () => put('a.ts', 'of the agent'));
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Bash: make', ['b.ts', 'b', 'B']],
      ['Claude Code', 'Bash: make', ['a.ts', 'of the user', 'of the agent']],
    ]);
  });

  it('is not what was written after it, while Git was slow', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b' });
    await begins();
    put('a.ts', 'A');
    await delay(20);
    const at = Date.now();
    await delay(20);
    put('b.ts', 'of another program');
    await around({ ...shell, at }, undefined, () => {});
    await writes.end('1', AUTHOR, 'later', at);
    assert.deepEqual(recorded(), [['Claude Code', 'Bash: make', ['a.ts', 'a', 'A']]]);
  });

  it('is not what our own tools have done', async () => {
    open({ 'a.ts': 'a' });
    await begins();
    put('a.ts', 'by us');
    const uri = fake.api.Uri.file(join(root, 'a.ts'));
    journal.add({
      author: AUTHOR,
      tool: 'edit_file',
      deeds: [{ type: 'edit', uri, path: 'a.ts', before: 'a', after: 'by us' }],
    });
    await writes.end('1', AUTHOR, 'in the background');
    assert.equal(journal.edits.length, 1);
  });

  it('is told as not known where nothing was there to compare with: bytes, long files, without a repository', async () => {
    open({ 'a.bin': Buffer.from([0, 1]), 'long.txt': 'x'.repeat(1_100_000) }, false);
    await around(edit, ['a.bin', 'long.txt'], () => {
      put('a.bin', Buffer.from([0, 2]));
      put('long.txt', 'short');
    });
    put('late.ts', 'late');
    await writes.after('1', AUTHOR, { ...edit, cwd: root, paths: ['late.ts'] });
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Edit', ['a.bin', 'unseen'], ['long.txt', 'unseen']],
      ['Claude Code', 'Edit', ['late.ts', 'unseen']],
    ]);
  });

  it('is told as not known where the window heard of the beginning or the call too late', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b' });
    const late = Date.now() - 5_000;
    put('a.ts', 'A');
    put('b.ts', 'B');
    await writes.begin('1', AUTHOR, late);
    await writes.before('1', AUTHOR, { ...edit, cwd: root, paths: ['b.ts'], at: late });
    await writes.after('1', AUTHOR, { ...edit, cwd: root, paths: ['b.ts'] });
    await writes.end('1', AUTHOR, 'later');
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Edit', ['b.ts', 'unseen']],
      ['Claude Code', 'later', ['a.ts', 'unseen']],
    ]);
  });

  it('is told as not known where the window was reloaded since the call began', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b' });
    for (const name of ['a.ts', 'b.ts']) put(name, 'new');
    await begins('2', OTHER);
    await writes.after('1', AUTHOR, { ...edit, cwd: root, paths: ['a.ts'] });
    await around(shell, undefined, () => put('b.ts', 'newer'));
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Edit', ['a.ts', 'unseen']],
      ['Claude Code', 'Bash: make', ['b.ts', 'new', 'newer']],
    ]);
  });

  it('is nothing of what the user had: in a repository that is found later, in a file that is no longer ignored', async () => {
    open({ 'a.ts': 'a', '.env': 'SECRET' }, false);
    await begins();
    await around(shell, undefined, () => {
      git('init', '--quiet');
      git('add', 'a.ts');
      git('commit', '--quiet', '--message=a');
      fake.git.opens(fake.api.Uri.file(root));
    });
    await writes.end('1', AUTHOR, 'later');
    put('.gitignore', '.env\n');
    await begins();
    await around(shell, undefined, () => put('.gitignore', ''));
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Bash: make', ['.env', 'unseen'], ['.gitignore', '.env\n', '']],
    ]);
  });

  it('of a file that was deleted before, by the agent or the user, is a creation', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b' });
    await begins();
    await around(shell, undefined, () => rmSync(join(root, 'a.ts')));
    rmSync(join(root, 'b.ts'));
    fake.person.changesInExplorer(join(root, 'b.ts'));
    await around(shell, undefined, () => {
      put('a.ts', 'A');
      put('b.ts', 'B');
    });
    assert.deepEqual(recorded(), [
      ['Claude Code', 'Bash: make', ['a.ts', 'delete', 'a']],
      ['Claude Code', 'Bash: make', ['a.ts', 'create', 'A'], ['b.ts', 'create', 'B']],
    ]);
  });

  it('is nothing of folders that our tools or the user have moved, and what was moved by a command is no new file', async () => {
    open({ 'src/a.ts': 'a', 'src/b.ts': 'b', 'c.ts': 'c' });
    await begins();
    const at = (path: string) => fake.api.Uri.file(join(root, path));
    renameSync(join(root, 'src'), join(root, 'lib'));
    const moved = { type: 'move', uri: at('src'), path: 'src', to: at('lib'), toPath: 'lib' } as const;
    journal.add({ author: AUTHOR, tool: 'move_path', deeds: [moved] });
    await around(shell, undefined, () => renameSync(join(root, 'c.ts'), join(root, 'd.ts')));
    assert.deepEqual(recorded().slice(1), [
      ['Claude Code', 'Bash: make', ['c.ts', 'delete', 'c'], ['d.ts', 'create', 'c']],
    ]);
  });

  it('is recorded of an interrupted turn, and not of what the user did after it', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b' });
    await begins();
    await writes.before('1', AUTHOR, { ...edit, cwd: root, paths: ['a.ts'] }); // it fails, without an end
    await writes.before('1', AUTHOR, { ...shell, cwd: root });
    put('a.ts', 'A');
    await begins();
    put('b.ts', 'of the user');
    await begins('2', OTHER);
    await around(shell, undefined, () => {}, OTHER);
    assert.deepEqual(recorded(), [['Claude Code', 'before it was interrupted', ['a.ts', 'a', 'A']]]);
  });

  it('of more files than can be copied is no change where there is none', async () => {
    const many = (text: string) =>
      Object.fromEntries(Array.from({ length: 520 }, (_, i) => [`new/${i}.ts`, text]));
    open({ 'a.ts': 'a' });
    for (const [path, text] of Object.entries(many('x'))) put(path, text);
    await begins();
    await around(shell, undefined, () => put('a.ts', 'A'));
    assert.deepEqual(recorded(), [['Claude Code', 'Bash: make', ['a.ts', 'a', 'A']]]);
  });

  it('of more bytes than are copied has no text before where the copy had to go', async () => {
    open({ 'a.ts': 'a' });
    for (let i = 0; i < 52; i++) put(`new/${i}.txt`, Buffer.alloc(1024 * 1024, `${i} `));
    await begins();
    await around(shell, undefined, () => {
      put('new/0.txt', 'short');
      put('new/51.txt', 'short');
    });
    const types = journal.edits.flatMap(({ deeds }) => deeds.map(({ path, type }) => [path, type]));
    assert.deepEqual(types.sort(), [
      ['new/0.txt', 'unseen'],
      ['new/51.txt', 'edit'],
    ]);
  });

  it('has no text before where a filter of Git fails, or Git LFS has it; that of others', async () => {
    open({
      'a.bad': 'a',
      'b.ts': '\uFEFFb\r\nc',
      'c.lfs': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
      'd.ts': 'd',
      '.gitattributes': '*.bad filter=bad\n',
    });
    git('config', 'filter.bad.clean', 'cat');
    git('config', 'filter.bad.smudge', 'false');
    git('config', 'filter.bad.required', 'true');
    await begins();
    await around(shell, undefined, () => {
      for (const name of ['a.bad', 'c.lfs', 'd.ts']) put(name, 'new');
      put('b.ts', '\uFEFFb\r\nC');
    });
    assert.deepEqual(recorded(), [
      [
        'Claude Code',
        'Bash: make',
        ['a.bad', 'unseen'],
        ['b.ts', 'b\nc', 'b\nC'],
        ['c.lfs', 'unseen'],
        ['d.ts', 'd', 'new'],
      ],
    ]);
  });

  it('of a deleted program has its permissions', async function () {
    if (process.platform === 'win32') this.skip(); // there are none
    open({ 'committed.sh': '', 'changed.sh': '' });
    for (const name of ['committed.sh', 'changed.sh']) chmodSync(join(root, name), 0o755);
    git('commit', '--quiet', '-am', 'b');
    put('changed.sh', 'of the user');
    await begins();
    await around(shell, undefined, () => {
      for (const name of ['committed.sh', 'changed.sh']) rmSync(join(root, name));
    });
    const deeds = journal.edits.flatMap((one) => one.deeds);
    const modes = deeds.map((deed) => 'files' in deed && (deed.files?.[0]?.mode ?? 0) & 0o777);
    assert.deepEqual(modes, [0o755, 0o755]);
  });

  it('never follows a link, and has it in the review as new', async function () {
    if (process.platform === 'win32') this.skip(); // links need a right there
    open({ 'a.ts': 'a' });
    await begins();
    await around(shell, undefined, () => symlinkSync('/etc/passwd', join(root, 'link')));
    assert.deepEqual(recorded(), [['Claude Code', 'Bash: make', ['link', 'bytes']]]);
  });

  it('of two agents is of the one that names it, else of both whose commands ran at the same time', async () => {
    open({ 'a.ts': 'a', 'b.ts': 'b' });
    await Promise.all([begins(), begins('2', OTHER)]);
    await writes.before('2', OTHER, { ...shell, cwd: root });
    await writes.before('2', OTHER, { ...edit, cwd: root, paths: ['b.ts'] });
    await around(shell, undefined, () => {
      put('a.ts', 'A');
      put('b.ts', 'B');
    });
    await writes.after('2', OTHER, { ...edit, cwd: root, paths: ['b.ts'] });
    await writes.after('2', OTHER, { ...shell, cwd: root });
    assert.deepEqual(recorded(), [
      ['Claude Code or Codex', 'Bash: make', ['a.ts', 'a', 'A']],
      ['Codex', 'Edit', ['b.ts', 'b', 'B']],
    ]);
    assert.deepEqual(
      journal.edits.map(({ author }) => author),
      [AUTHOR, OTHER],
    );
  });

  it('of a shell is also what an edit named that failed without a word', async () => {
    open({ 'a.ts': 'a' });
    await writes.begin('1', AUTHOR, Number.POSITIVE_INFINITY);
    await writes.before('1', AUTHOR, { ...edit, cwd: root, paths: ['a.ts'] });
    await around(shell, undefined, () => put('a.ts', 'A'));
    assert.deepEqual(recorded(), [['Claude Code', 'Bash: make', ['a.ts', 'a', 'A']]]);
  });

  it('is recorded of 500 files a turn, and counted of more', async () => {
    open({
      'a.ts': 'a',
      ...Object.fromEntries(Array.from({ length: 510 }, (_, i) => [`many/${i}.ts`, 'x'])),
    });
    journal.beginTurn(AUTHOR, 'format it');
    await begins();
    await around(shell, undefined, () => {
      for (let i = 0; i < 510; i++) put(`many/${i}.ts`, 'y');
      renameSync(join(root, 'a.ts'), join(root, 'b.ts'));
    });
    const [entry] = journal.edits;
    assert.equal(entry?.deeds.length, 500);
    assert.equal(journal.turn(entry?.turn ?? 0)?.missed, 12);
    assert.deepEqual(shown(entry?.deeds[0] ?? assert.fail()), ['a.ts', 'delete', 'a']);
  });
});
