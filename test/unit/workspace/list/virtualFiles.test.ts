import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { mock } from 'node:test';
import type { Uri } from 'vscode';
import { CancelledError } from '../../../../src/core/errors.ts';
import { Listing } from '../../../../src/workspace/list/listing.ts';
import { slashed } from '../../../../src/workspace/read/displayPath.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, folderWith, openWindow, write } from '../openWindow.ts';

/** Also while the others stand still. */
const realTimeout = setTimeout;

const TREE: Record<string, string> = {
  '.gitignore': 'node_modules/\n*.log\n/dist\n',
  '.git/config': '',
  'a.ts': '',
  'a.log': '',
  'dist/x.js': '',
  'node_modules/.gitignore': '!*\n',
  'node_modules/deep/er/x.js': '',
  'sub/.gitignore': '!keep.log\nmade\n',
  'sub/dist/y.js': '',
  'sub/keep.log': '',
  'sub/b.log': '',
  'sub/made/z.js': '',
  'sub/made.ts': '',
  'quiet/.gitignore': '*\n',
  'quiet/x': '',
};
const LISTED = ['.gitignore', 'a.ts', 'sub/.gitignore', 'sub/dist/y.js', 'sub/keep.log', 'sub/made.ts'];

/** A folder of a virtual file system, which no extension brings a search for. */
function open(tree: Record<string, string | Buffer> = TREE, user: Record<string, unknown> = {}) {
  const path = folderWith(tree);
  const { fake } = openWindow({ folders: [{ path, name: 'ws', scheme: 'virtual' }], user });
  const listing = new Listing(fake.api);
  const uri = (name: string) => fake.api.Uri.file(join(path, name)).with({ scheme: 'virtual' });
  const namesOf = async (one: Listing) => [...(await one.files())].map((file) => file.path).sort();
  return {
    path,
    fake,
    listing,
    uri,
    names: () => namesOf(listing),
    /** As a list that is made anew has it. */
    namesAnew: () => namesOf(new Listing(fake.api)),
    /** As ripgrep has it on the disk. */
    namesByRipgrep: () => namesOf(openWindow({ folders: [path], user }).window.listing),
    /** What was read since it was last asked for. */
    read: () => fake.fileSystem.read.splice(0).map((one) => slashed(relative(path, one))),
    /** An extension brings a search, which finds these. */
    searches(found: (names: string[]) => string[]) {
      let searches = 0;
      const names = Object.keys(tree).filter((name) => !name.startsWith('.git/'));
      fake.findsFiles = async (): Promise<Uri[]> => {
        searches++;
        return found(names).map(uri);
      };
      return () => searches;
    },
  };
}

describe('access/virtualFiles', () => {
  afterEach(cleanUp);

  describe('by reading directories', () => {
    it('leaves out what .gitignore files do, as ripgrep does on the disk', async () => {
      const { names, namesByRipgrep } = open();
      assert.deepEqual(await names(), LISTED);
      assert.deepEqual(await namesByRipgrep(), LISTED);
    });

    it('enters no directory that is ignored, and reads ignore files only where there are some', async () => {
      const { names, read } = open();
      await names();
      assert.deepEqual(read().sort(), [
        '',
        '.gitignore',
        'quiet',
        'quiet/.gitignore',
        'sub',
        'sub/.gitignore',
        'sub/dist',
      ]);
    });

    it('takes .ignore and .rgignore as ripgrep does', async () => {
      const { names, namesByRipgrep } = open({
        '.gitignore': '*.a\n*.b\n',
        '.ignore': '!x.a\n*.c\n',
        '.rgignore': '!x.c\nsub/d\n',
        'sub/.gitignore': 'x.*\n',
        ...Object.fromEntries(
          ['a', 'b', 'c', 'd'].flatMap((end) => [
            [`x.${end}`, ''],
            [`sub/x.${end}`, ''],
          ]),
        ),
        'sub/d/e': '',
      });
      const expected = ['.gitignore', '.ignore', '.rgignore', 'sub/.gitignore', 'sub/x.a', 'sub/x.c'];
      assert.deepEqual(await names(), [...expected, 'x.a', 'x.c', 'x.d']);
      assert.deepEqual(await names(), await namesByRipgrep());
    });

    it('counts rules also where the settings leave out the files that have them', async () => {
      const { names } = open(TREE, { 'files.exclude': { '**/.gitignore': true } });
      assert.deepEqual(
        await names(),
        LISTED.filter((name) => !name.endsWith('.gitignore')),
      );
    });

    it('never lists the inside of a repository', async () => {
      const tree = { '.git/config': '', 'sub/.git': 'gitdir: x', a: '' };
      assert.deepEqual(await open(tree, { 'files.exclude': { '**/.git': false } }).names(), ['a']);
    });

    it('goes without rules that are huge, that cannot be read, or that are a folder', async () => {
      const { names, fake } = open({
        'big/.gitignore': `x\n${'#'.repeat(1024 * 1024)}`,
        'big/x': '',
        'bad/.gitignore': 'x\n',
        'bad/x': '',
        'folder/.gitignore/y': '',
        'good/.gitignore': 'x\n',
        'good/x': '',
      });
      fake.fileSystem.beforeReading = async (path) => {
        if (slashed(path).endsWith('bad/.gitignore')) throw new Error('not yours');
        assert.ok(!slashed(path).includes('/big/'), 'not even read');
      };
      assert.deepEqual(await names(), [
        'bad/.gitignore',
        'bad/x',
        'big/.gitignore',
        'big/x',
        'folder/.gitignore/y',
        'good/.gitignore',
      ]);
    });

    it('does not wait forever for rules', async () => {
      const { names, fake } = open();
      fake.fileSystem.beforeReading = () => new Promise(() => {});
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        let isDone = false;
        const listed = names().finally(() => {
          isDone = true;
        });
        for (let seconds = 0; !isDone && seconds < 29; seconds++) {
          await new Promise((resolve) => realTimeout(resolve, 20)); // the disk answers meanwhile
          mock.timers.tick(1000);
        }
        assert.ok(isDone);
        assert.ok((await listed).includes('node_modules/deep/er/x.js'));
      } finally {
        mock.timers.reset();
      }
    });

    it('takes rules as they are saved', async () => {
      const { path, names, fake } = open();
      fake.person.loads(join(path, '.gitignore'), '*\n');
      assert.deepEqual(await names(), LISTED);
    });

    itWithLinks('takes rules through a link, and lists none', async () => {
      const { path, names, namesByRipgrep } = open({ a: '', b: '', rules: 'a\n', 'sub/c': '' });
      symlinkSync(join(path, 'rules'), join(path, '.gitignore'));
      symlinkSync(join(path, 'sub'), join(path, 'link'));
      assert.deepEqual(await names(), ['b', 'rules', 'sub/c']);
      assert.deepEqual(await namesByRipgrep(), ['b', 'rules', 'sub/c']);
    });

    it('stops when it is cancelled', async () => {
      const { listing } = open();
      await assert.rejects(listing.files(AbortSignal.abort()), CancelledError);
    });
  });

  describe('by a search of VS Code', () => {
    it('leaves out what the .gitignore files do that it has found, and reads no others', async () => {
      const { names, read, searches } = open();
      const count = searches((all) => all);
      assert.deepEqual(await names(), LISTED);
      assert.deepEqual(read().sort(), ['.gitignore', 'quiet/.gitignore', 'sub/.gitignore']);
      assert.equal(count(), 1);
    });

    it('reads the directories where it leaves hidden files away, and searches no more', async () => {
      const { names, namesAnew, listing, searches } = open();
      const count = searches((all) => all.filter((name) => !/(^|\/)\./.test(name)));
      assert.deepEqual(await names(), LISTED);
      listing.outdate();
      await listing.settle();
      assert.deepEqual([await names(), count()], [LISTED, 1]);
      assert.deepEqual(await namesAnew(), LISTED);
    });

    it('trusts it where there is nothing hidden', async () => {
      const { names, read, searches } = open({ a: '', 'b/c': '', '.git/config': '' });
      searches((all) => all);
      assert.deepEqual([await names(), read()], [['a', 'b/c'], ['']]);
    });

    it('does not use it where the settings keep it from finding .gitignore', async () => {
      const { names, searches } = open(TREE, { 'search.exclude': { '**/.gitignore': true } });
      const count = searches((all) => all);
      assert.deepEqual(
        await names(),
        LISTED.filter((name) => !name.endsWith('.gitignore')),
      );
      assert.equal(count(), 0);
    });

    it('takes the same on the disk where VS Code brings no ripgrep', async () => {
      const { window } = openWindow({ folders: [folderWith(TREE)], appRoot: '/no/ripgrep' });
      assert.deepEqual([...(await window.listing.files())].map(({ path }) => path).sort(), LISTED);
    });
  });

  describe('kept current', () => {
    interface Case {
      change(path: string): void;
      touched: string[];
      come?: string[];
      gone?: string[];
    }
    const cases: Record<string, Case> = {
      'files that any directory above ignores': {
        change: (path) => {
          const names = ['sub/new.log', 'sub/made/new', 'node_modules/new/a', 'dist/new', 'quiet/new'];
          for (const name of names) write(join(path, name));
        },
        touched: [
          'sub/new.log',
          'sub/made/new',
          'node_modules/new',
          'node_modules/new/a',
          'dist/new',
          'quiet/new',
        ],
      },
      'files that come and go': {
        change: (path) => {
          for (const name of ['sub/deep/a', 'sub/deep/keep.log']) write(join(path, name));
          rmSync(join(path, 'a.ts'));
        },
        touched: ['sub/deep', 'a.ts', 'never/there'],
        come: ['sub/deep/a', 'sub/deep/keep.log'],
        gone: ['a.ts'],
      },
      'a folder that is moved in, with rules of its own': {
        change: (path) => {
          const from = folderWith({
            '.gitignore': 'x\n',
            x: '',
            y: '',
            'z/x': '',
            'z/b.log': '',
            'dist/w': '',
          });
          renameSync(from, join(path, 'moved'));
        },
        touched: ['moved'],
        come: ['moved/.gitignore', 'moved/dist/w', 'moved/y'],
      },
      'folders of an ignored name': {
        change: (path) => {
          write(join(path, 'sub/node_modules/a/b'));
          mkdirSync(join(path, 'new.log'));
        },
        touched: ['sub/node_modules', 'sub/node_modules/a/b', 'new.log'],
      },
      'another case': {
        change: (path) => renameSync(join(path, 'a.ts'), join(path, 'A.ts')),
        touched: ['a.ts', 'A.ts'],
        come: ['A.ts'],
        gone: ['a.ts'],
      },
    };
    for (const [what, { change, touched, come = [], gone = [] }] of Object.entries(cases)) {
      it(what, async () => {
        const { path, listing, uri, names, namesAnew, namesByRipgrep } = open();
        await names();
        change(path);
        for (const name of touched) listing.touch(uri(name));
        const expected = [...LISTED.filter((name) => !gone.includes(name)), ...come].sort();
        assert.deepEqual(await names(), expected);
        assert.deepEqual(await namesAnew(), expected);
        assert.deepEqual(await namesByRipgrep(), expected);
      });
    }

    it('looks at each directory on the way once, and into none that is ignored', async () => {
      const { path, listing, uri, names, read } = open();
      await names();
      read();
      const touched = ['sub/dist/1', 'sub/dist/2', 'sub/3', 'node_modules/deep/4', 'sub/made/5'];
      for (const name of touched) {
        write(join(path, name));
        listing.touch(uri(name));
      }
      await names();
      assert.deepEqual(read().sort(), ['', '.gitignore', 'sub', 'sub/.gitignore', 'sub/dist']);
    });
  });
});
