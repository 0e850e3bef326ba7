import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Listing } from '../../../../src/workspace/list/listing.ts';
import { isIgnored, type Rules, withRules } from '../../../../src/workspace/list/virtualFiles.ts';
import { slashed } from '../../../../src/workspace/read/location.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { itWithLinks, onPosix } from '../../../temporary.ts';
import { cleanUp, folderWith, openWindow } from '../openWindow.ts';

const FILES =
  '.git/config mod/.git a.ts a.log dist/x.js node_modules/deep/er/x.js sub/dist/y.js sub/keep.log sub/b.log sub/made/z.js sub/made.ts quiet/x';
const TREE: Record<string, string> = {
  ...Object.fromEntries(FILES.split(' ').map((path) => [path, ''])),
  '.gitignore': 'node_modules/\n*.log\n/dist\n',
  'node_modules/.gitignore': '!*\n',
  'sub/.gitignore': '!keep.log\nmade\n',
  'quiet/.gitignore': '*\n',
};
const LISTED = ['.gitignore', 'a.ts', 'sub/.gitignore', 'sub/dist/y.js', 'sub/keep.log', 'sub/made.ts'];

function open(tree: Record<string, string | Buffer> = TREE, user: Record<string, unknown> = {}) {
  const path = folderWith(tree);
  const { fake } = openWindow({ folders: [{ path, name: 'ws', scheme: 'virtual' }], user });
  const listing = new Listing(fake.api);
  const namesOf = async (one: Listing) => [...(await one.files())].map((file) => file.path).sort();
  return {
    path,
    fake,
    listing,
    names: () => namesOf(listing),
    /** As ripgrep has it on the disk. */
    namesByRipgrep: () => namesOf(openWindow({ folders: [path], user }).window.listing),
  };
}

describe('workspace/list/virtualFiles', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('leaves out what .gitignore files do, as ripgrep does, reads those alone, and enters nothing ignored', async () => {
    const { path, fake, names, namesByRipgrep } = open();
    assert.deepEqual(await names(), LISTED);
    const read = fake.fileSystem.read.map((one) => slashed(relative(path, one)));
    assert.equal(read.sort().join(' '), ' .gitignore mod quiet quiet/.gitignore sub sub/.gitignore sub/dist');
    assert.deepEqual(await namesByRipgrep(), LISTED);
  });

  it('counts rules also where the settings leave out their files, and never lists the inside of a repository', async () => {
    const { names } = open(TREE, { 'files.exclude': { '**/.gitignore': true, '**/.git': false } });
    assert.deepEqual(
      await names(),
      LISTED.filter((name) => !name.endsWith('.gitignore')),
    );
  });

  it('goes without rules that are huge, that cannot be read, or that are a folder', async () => {
    const { names, fake } = open({
      'big/.gitignore': `x\n${'#'.repeat(1024 * 1024)}`,
      'big/x': '',
      'bad/.gitignore': 'x\n',
      'bad/x': '',
      'good/.gitignore': 'x\n',
      'good/x': '',
      'folder/.gitignore/y': '',
    });
    fake.fileSystem.beforeReading = async (path) => {
      if (slashed(path).endsWith('bad/.gitignore')) throw new Error('not yours');
      assert.ok(!slashed(path).includes('/big/'), 'not even read');
    };
    const expected = 'bad/.gitignore bad/x big/.gitignore big/x folder/.gitignore/y good/.gitignore';
    assert.equal((await names()).join(' '), expected);
  });

  it('takes rules as they are saved, and does not wait forever for them', async () => {
    const { path, names, fake } = open();
    fake.person.loads(join(path, '.gitignore'), '*\n');
    assert.deepEqual(await names(), LISTED);
    const slow = open();
    slow.fake.fileSystem.beforeReading = () => new Promise(() => {});
    assert.ok((await clock.settle(slow.names(), 5_000)).includes('node_modules/deep/er/x.js'));
  });

  itWithLinks('takes rules through a link, and lists none', async () => {
    const { path, names, namesByRipgrep } = open({ a: '', b: '', rules: 'a\n', 'sub/c': '' });
    symlinkSync(join(path, 'rules'), join(path, '.gitignore'));
    symlinkSync(join(path, 'sub'), join(path, 'link'));
    assert.deepEqual(await names(), ['b', 'rules', 'sub/c']);
    assert.deepEqual(await namesByRipgrep(), ['b', 'rules', 'sub/c']);
  });

  it('takes the same on the disk where VS Code brings no ripgrep', async () => {
    const { window } = openWindow({ folders: [folderWith(TREE)], appRoot: '/no/ripgrep' });
    assert.deepEqual([...(await window.listing.files())].map(({ path }) => path).sort(), LISTED);
  });
});

/** What a walk finds that enters no ignored directory. */
function found(root: string, ignoreFiles: Record<string, string>): string[] {
  const paths: string[] = [];
  const walk = (directory: string, above: Rules) => {
    const rules = withRules(above, directory, ignoreFiles[`${directory}.gitignore`] ?? '');
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = directory + entry.name;
      if (entry.name === '.git' || isIgnored(rules, path, entry.isDirectory())) continue;
      if (entry.isDirectory()) walk(`${path}/`, rules);
      else paths.push(path);
    }
  };
  walk('', []);
  return paths.sort();
}

/** What Git finds by no other rules than those of the folder. */
function foundByGit(root: string): string[] {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { env, encoding: 'utf8' });
  git('init', '--quiet', '--template=');
  const paths = git('-c', 'core.ignoreCase=false', 'ls-files', '--others', '-z', '--exclude-standard');
  return paths.split('\0').filter(Boolean).sort();
}

describe('workspace/list/virtualFiles: ignore rules', () => {
  afterEach(cleanUp);

  /** The rules, the files that there are, and those that are left; in a directory's own .gitignore where it has one. */
  const cases: Record<string, [rules: string | Record<string, string>, files: string, left: string]> = {
    'a name at any depth, a folder with all that is in it': ['out', 'out a/out/b out2 c', 'c out2'],
    'a name with a slash before it, at the top only': ['/a.log', 'a.log b/a.log', 'b/a.log'],
    'a name with a slash in it, from the top only': ['b/a', 'b/a c/b/a', 'c/b/a'],
    'a slash at the end: folders only': ['x/', 'x y/x/z', 'x'],
    'stars in a name': ['*.log\na*z', '.log b.log.txt c/d.log az a1z a/z', 'a/z b.log.txt'],
    'a star does not cross a slash': ['a/*.js', 'a/x.js a/b/x.js', 'a/b/x.js'],
    'two stars in front': ['**/a/b', 'a/b c/a/b d/b', 'd/b'],
    'two stars between': ['a/**/z', 'a/z a/b/z a/b/c/z a/y z', 'a/y z'],
    'two stars at the end': ['a/**', 'a/b a/c/d b/a/c', 'b/a/c'],
    'two stars alone, and folders taken back': ['**\n!**/\n!*.ts', 'a.ts b/c.ts b/d.js', 'a.ts b/c.ts'],
    'hidden files': ['*\n!.*', '.x y .z/w', '.x'],
    'one character, but no slash': ['a?c\nx?y', 'abc ac x/y xzy', 'ac x/y'],
    classes: ['[ab]\n[!a-z]\n[^x]1', 'a b c 1 x1 y1', 'c x1'],
    'classes with a bracket, and named ones': ['[]x]\n[[:digit:]]z', 'x y 1z az', 'az y'],
    'a class that does not end': ['[a', 'a [a', '[a a'],
    'the last rule wins': ['*.log\n!a.log\nb/a.log', 'a.log b/a.log c.log d/a.log', 'a.log d/a.log'],
    'what is taken back, and ignored again': ['!a\na', 'a b', 'b'],
    'no file of an ignored folder': ['out/\n!out/a\n!out/b/', 'out/a out/b/c d', 'd'],
    'a file of a folder whose files are ignored': ['out/*\n!out/a', 'out/a out/b', 'out/a'],
    comments: ['#a\n\\#b\n c', '#a #b c', '#a c'],
    'an exclamation mark': ['\\!a\nb!', '!a b! c', 'c'],
    'a backslash at the end': ['a\\\nb\\\\', 'a b c', 'a b c'],
    'escaped characters': ['\\a\nb.\\j\\s', 'a b.js c', 'c'],
    'braces and parentheses': ['{a,b}\n+(c)', 'a b c {a,b}x', 'a b c {a,b}x'],
    'line ends of Windows, and none at the end': ['a\r\nb/\r\n\r\nc', 'a b/x c d', 'd'],
    'spaces at the end': ['a  \nb\\ \nc/ ', 'a b c/x d', 'b d'],
    'lines that fit nothing': ['!\n/\n//\n./a\n../b\nc//\n\n ', 'a b c/d', 'a b c/d'],
    'other cases': ['A', 'a B/a', 'B/a a'],
    'characters of several bytes': ['ü\n*.é', 'ü a.é u', 'u'],
    'paths from the directory of the file': [
      { 'sub/.gitignore': '/a\nb/c\n' },
      'a b/c sub/a sub/d/a sub/b/c sub/d/b/c',
      'a b/c sub/d/a sub/d/b/c',
    ],
    'directories whose names are patterns': [
      { '[a]*/.gitignore': 'x\n/y\n!z\n', 'b\\?/.gitignore': 'x\n' },
      '[a]*/x [a]*/y [a]*/w/y a/x b\\?/x b\\c/x',
      '[a]*/w/y a/x b\\c/x',
    ],
    'escapes and empty lines below the top': [
      { 'sub/.gitignore': '\\#a\n\\!b\n\n /\n/\n#c\n d\n' },
      'sub/#a sub/!b sub/#c sub/d sub/e/f',
      'sub/#c sub/d sub/e/f',
    ],
  };
  const ALL = Object.entries(cases).map(([what, [rules, files, left]], index) => {
    const texts = typeof rules === 'string' ? { '.gitignore': rules } : rules;
    const tree = { ...Object.fromEntries(files.split(' ').map((path) => [path, ''])), ...texts };
    return { what, texts, left, tree, index };
  });
  const ofPeople = (paths: string[]) => paths.filter((path) => !path.endsWith('.gitignore')).join(' ');

  for (const { what, texts, tree, left } of ALL)
    (/[*?]/.test(Object.keys(tree).join()) ? onPosix : it)(what, () =>
      assert.equal(ofPeople(found(folderWith(tree), texts)), left),
    );

  it('is all as Git has it', function () {
    if (process.platform === 'win32') this.skip(); // Git's own spelling of paths differs there
    const inFolders = ALL.flatMap(({ tree, index }) =>
      Object.entries(tree).map(([path, text]) => [`${index}/${path}`, text]),
    );
    const byGit = foundByGit(folderWith(Object.fromEntries(inFolders)));
    for (const { what, left, index } of ALL) {
      const inside: string[] = byGit.filter((path: string) => path.startsWith(`${index}/`));
      assert.equal(ofPeople(inside.map((path) => path.slice(`${index}/`.length))), left, what);
    }
  });

  it('does not hang on what takes others long', () => {
    const rules = withRules([], '', `${'*a'.repeat(200)}b\n${'a/**/'.repeat(200)}b\n`);
    assert.equal(isIgnored(rules, 'a'.repeat(250), false), false);
    assert.equal(isIgnored(rules, `${'a/'.repeat(500)}c`, false), false);
  });

  it('leaves out rules, and files of more rules, than people write', () => {
    const long = `${'a'.repeat(70_000)}*\n${'['.repeat(100_000)}\na*`;
    assert.equal(isIgnored(withRules([], '', long), 'ab', false), true);
    const ofLines = (count: number) => withRules([], '', 'a\n'.repeat(count));
    assert.equal(isIgnored(ofLines(10_000), 'a', false), true);
    assert.equal(isIgnored(ofLines(10_001), 'a', false), false);
  });
});
