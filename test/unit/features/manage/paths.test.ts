import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { deletePath, movePath } from '../../../../src/features/manage/paths.ts';
import { undoEdit } from '../../../../src/features/manage/undoEdit.ts';
import type { Tool } from '../../../../src/features/tool.ts';
import { EDITS_FOR_MOVE, OWN_MOVE, TSSERVER_REQUEST } from '../../../../src/tsserver/commands.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { Range } from '../../../fakes/text.ts';
import type { FakeOptions } from '../../../fakes/vscode.ts';
import { allowing, disk, documentOf, refused, answer as waitFor } from '../editing.ts';
import { cleanUp, type Tree, type Window } from '../window.ts';

const TREE: Tree = {
  'main.ts': "import './lib/a';\n",
  'other.ts': "import './lib/a';\nother();\n",
  'lib/a.ts': "import './b';\n",
  'lib/b.ts': '',
};
/** What TypeScript changes if `lib/a.ts` is moved to `a.ts`: a specifier in the first line of each file. */
const CHANGES = { 'lib/a.ts': './lib/b', 'main.ts': './a', 'other.ts': './a' };
const MOVE = { source: 'lib/a.ts', destination: 'a.ts' };
const SETTING = 'js/ts.updateImportsOnFileMove.enabled';

/** A window whose TypeScript answers so; without changes, it never does. */
function open(changes?: Record<string, string>, options?: Partial<FakeOptions>, tree = TREE) {
  const window = allowing(tree, options);
  const told: unknown[] = [];
  const body = Object.entries(changes ?? {}).map(([path, to]) => {
    const text = `${tree[path] ?? ''}`;
    const [from, end] = [text.indexOf("'") + 2, text.indexOf("';") + 1];
    const textChanges = [{ start: { line: 1, offset: from }, end: { line: 1, offset: end }, newText: to }];
    return { fileName: path.startsWith('/') ? path : window.path(path), textChanges };
  });
  window.fake.answers.set(TSSERVER_REQUEST, async (command, paths) => {
    if (command === EDITS_FOR_MOVE) return changes ? { body } : new Promise(() => {});
    if (command === OWN_MOVE) told.push(paths);
    return { body: [] };
  });
  return { window, told };
}

describe('features/manage/paths', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  const answer = (window: Window, tool: Tool, args: object = {}, longest = 100) =>
    clock.settle(waitFor(window, tool, args), longest);

  it('updates imports with the move, in one question, one edit and one undo', async () => {
    const { window } = open(CHANGES);
    const shown = await answer(window, movePath, { ...MOVE, dryRun: true });
    assert.match(shown, /-import '\.\/b';\n\+import '\.\/lib\/b';[\s\S]*Not done yet\. lib\/a\.ts: moved/);
    const text = await answer(window, movePath, MOVE);
    assert.match(text, /^Each of these: imports updated, version 2, saved:\na\.ts\nmain\.ts\nother\.ts\nlib/);
    assert.equal(disk(window, 'a.ts'), "import './lib/b';\n");
    assert.equal(disk(window, 'main.ts'), "import './a';\n");
    const [question, ...others] = window.consent.questions;
    assert.deepEqual(others, []);
    assert.deepEqual(
      question?.diffs?.map(({ path, after, operation }) => [path, after, operation?.to]),
      [
        ['lib/a.ts', "import './lib/b';\n", 'a.ts'],
        ['main.ts', "import './a';\n", undefined],
        ['other.ts', "import './a';\nother();\n", undefined],
      ],
    );
    assert.match(await answer(window, undoEdit, { list: true }), /^1 move_path.*: lib\/a\.ts, main\.ts, /);
    const changed = await answer(window, undoEdit, { diff: true });
    assert.match(changed, /lib\/a\.ts: moved to a\.ts\.\n--- a\.ts[\s\S]*-import '\.\/b';/);
    await answer(window, undoEdit);
    for (const [path, before] of Object.entries(TREE)) assert.equal(disk(window, path), before);
    assert.ok(!existsSync(window.path('a.ts')));
  });

  it('keeps what others typed meanwhile in the undo, which is refused if they changed an import', async () => {
    const { window } = open(CHANGES);
    await answer(window, movePath, MOVE);
    const type = (path: string, from: string, to: string) => {
      const document = documentOf(window, path);
      window.fake.person.types(document, document.getText().replace(from, to));
    };
    type('main.ts', './a', './typed');
    await refused(answer(window, undoEdit), /main\.ts is unchanged, like all files of this edit/);
    assert.ok(existsSync(window.path('a.ts')));
    type('main.ts', './typed', './a');
    type('other.ts', 'other', 'typed');
    await answer(window, undoEdit);
    assert.equal(disk(window, 'lib/a.ts'), TREE['lib/a.ts']);
    assert.equal(documentOf(window, 'other.ts').getText(), "import './lib/a';\ntyped();\n");
  });

  it('leaves imports by the name of a package, and ignored declarations, as they are', async () => {
    const tree = {
      ...TREE,
      '.gitignore': 'built/\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
      'built/main.d.ts': "import '../lib/a';\n",
      'other.ts': "import '@own/lib';\n",
    };
    const changes = { ...CHANGES, 'built/main.d.ts': '../a', 'other.ts': './built/a' };
    const { window } = open(changes, {}, tree);
    const text = await answer(window, movePath, MOVE);
    assert.match(text, /^a\.ts: imports updated, [\s\S]*\nmain\.ts: imports updated, /);
    assert.match(text, /Imports by the name of a package stay as they are: other\.ts:1\./);
    assert.match(
      text,
      /Ignored declarations \(\.d\.ts\) that import it stay as they are: built\/main\.d\.ts\./,
    );
    assert.equal(disk(window, 'other.ts'), tree['other.ts']);
  });

  it('moves unsaved text with its new imports, unsaved', async () => {
    const { window } = open(CHANGES);
    const { person } = window.fake;
    person.types(person.loads(window.path('lib/a.ts')), "import './b';\ntyped\n");
    const text = await answer(window, movePath, MOVE);
    assert.match(text, /^a\.ts: imports updated, version \d+, not saved: /);
    assert.equal(documentOf(window, 'a.ts').getText(), "import './lib/b';\ntyped\n");
    assert.equal(disk(window, 'a.ts'), TREE['lib/a.ts']);
  });

  it('leaves all as it was if VS Code does not move the file', async () => {
    const { window } = open(CHANGES);
    const { workspace } = window.fake.api;
    const { applyEdit } = workspace;
    workspace.applyEdit = async (edit) => edit.entries().length > 0 && applyEdit(edit);
    await refused(answer(window, movePath, MOVE), /VS Code failed at moving[\s\S]*The edit was reverted/);
    for (const [path, before] of Object.entries(TREE)) assert.equal(disk(window, path), before);
  });

  it('updates imports in a moved folder', async () => {
    const { window } = open({ 'lib/a.ts': '../b', 'main.ts': './src/lib/a' });
    const text = await answer(window, movePath, { source: 'lib', destination: 'src/lib' });
    assert.match(text, /^src\/lib\/a\.ts: imports updated/);
    assert.equal(disk(window, 'src/lib/a.ts'), "import '../b';\n");
    await answer(window, undoEdit);
    for (const [path, before] of Object.entries(TREE)) assert.equal(disk(window, path), before);
  });

  it('checks the first files of a moved folder before and after, also when it is moved back', async () => {
    const many = Array.from({ length: 25 }, (_, at) => [`lib/${at}.ts`, ''] as const);
    for (const [tree, said] of [
      [TREE, ''],
      [
        { ...TREE, ...Object.fromEntries(many) },
        '\nOf 27 files in the folder only 20 were checked: call get_diagnostics.',
      ],
    ] as const) {
      const { window } = open({}, {}, tree);
      window.fake.extensions.installs('typescript');
      window.fake.extensions.brings({ languages: [{ id: 'typescript', extensions: ['.ts'] }] });
      window.ctx.files.watchList(() => {}); // as each session does
      const checked: string[] = [];
      window.ctx.language.of = async ({ uri }) => {
        checked.push(uri.path.slice(-10));
        return { diagnostics: [], state: 'checked' };
      };
      const text = await answer(window, movePath, { source: 'lib', destination: 'src/lib' });
      assert.ok(
        text.startsWith(
          `lib: moved to src/lib with ${said ? 27 : 2} files.\nNo problems.${said}\nThe move makes paths wrong in 2 lines`,
        ),
        text,
      );
      const undone = await answer(window, undoEdit);
      assert.match(undone, /\nNo problems\./);
      if (!said) assert.equal(checked.length, 8);
    }
  });

  it('tells the problems of a copy that its source has not, and those of what is restored', async () => {
    const { window } = open({});
    window.fake.extensions.installs('typescript');
    window.fake.extensions.brings({ languages: [{ id: 'typescript', extensions: ['.ts'] }] });
    window.ctx.files.watchList(() => {}); // as each session does
    const problemOf = (message: string) => ({ range: new Range(0, 0, 0, 1), severity: 0, message });
    const own = problemOf('its own');
    window.ctx.language.of = async ({ uri }) => ({
      diagnostics: (uri.path.includes('/copy/') ? [own, problemOf('not found')] : [own]) as never,
      state: 'checked',
    });
    const copy = { source: 'lib', destination: 'copy', copy: true };
    assert.equal(
      await answer(window, movePath, copy),
      'lib: copied to copy with 2 files.\nNew problems:\ncopy/a.ts\n  1:1 error not found\ncopy/b.ts\n  1:1 error not found',
    );
    await answer(window, deletePath, { path: 'lib' });
    assert.match(
      await answer(window, undoEdit),
      /lib: folder created with 2 files\.\nProblems, new or from before:\nlib\/a\.ts\n {2}1:1 error its own\nlib\/b\.ts\n/,
    );
  });

  it('counts the imports in closed files, and names those that cannot be edited', async () => {
    const tree = { ...TREE, 'secret/s.ts': "import '../lib/a';\n", 'r.ts': "import './lib/a'; // KEY=1\n" };
    const user = { 'workspaceMcp.access.deniedPaths': ['secret'], 'workspaceMcp.access.redact': ['KEY=\\d'] };
    const changes = { ...CHANGES, 'secret/s.ts': '../a', '/elsewhere/x.ts': './a', 'r.ts': './a' };
    const { window } = open(changes, { user }, tree);
    const text = await answer(window, movePath, MOVE);
    assert.match(text, /Imports in 2 files outside the workspace or closed to you are not updated\. Tell/);
    assert.match(text, /Its imports are not updated: r\.ts is unchanged: line 1 contains redacted text/);
    assert.doesNotMatch(text, /secret|elsewhere/);
    assert.equal(disk(window, 'secret/s.ts'), tree['secret/s.ts']);
  });

  it('updates nothing if the user never wants it, and says so', async () => {
    for (const name of [SETTING, 'typescript.updateImportsOnFileMove.enabled']) {
      const { window } = open(CHANGES, { user: { [name]: 'never' } });
      assert.match(
        await answer(window, movePath, MOVE),
        /\nImports are not updated: .* "never"\. The move makes paths wrong in 2 lines \(main\.ts:1, other\.ts:1\)/,
      );
      assert.equal(disk(window, 'main.ts'), TREE['main.ts']);
    }
  });

  it('moves nothing while TypeScript does not answer; asks nothing about other files', async () => {
    const { window } = open();
    await refused(answer(window, movePath, MOVE, 15_000), /^Nothing was moved: TypeScript .* Call again/);
    assert.ok(existsSync(window.path('lib/a.ts')));
    const other = open(undefined, {}, { 'd/a.txt': '' }).window;
    const text = await answer(other, movePath, { source: 'd', destination: 'e' });
    assert.match(text, /^d: moved to e with 1 file\.\nNo file in d has a language[^\n]*$/);
  });

  it('names the lines that name it by a path, but import nothing', async () => {
    const mocks = "mock('./lib/a.js');\nmock('./lib/b');\nmock('./a');\n";
    const reads = "import './b';\nread('./b.ts');\nread('./new.txt');\nimport './c';\n";
    const { window } = open(CHANGES, {}, { ...TREE, 'a.test.ts': mocks, 'lib/a.ts': reads });
    const text = await answer(window, movePath, MOVE);
    assert.match(text, /The move makes paths wrong in 2 lines \(a\.test\.ts:1, a\.ts:2\): use edit_file\./);
  });

  describe('of projects of TypeScript', () => {
    const PROJECTS = {
      'tsconfig.json': '{\n  // all\n  "references": [{ "path": "packages/a" }]\n}\n',
      'tsconfig.base.json': '{"compilerOptions": {"paths": {"@a/*": ["./packages/a/src/*"]}}}\n',
      'packages/a/tsconfig.json': '{"extends": "../../tsconfig.base.json", "include": ["src"]}\n',
      'packages/a/src/a.ts': '',
      'packages/b/b.ts': "import '@a/a';\n",
    };
    const FOLDER = { source: 'packages/a', destination: 'libs/x/a' };

    it('rebases the paths of configurations with the move, and leaves imports by an alias that moves along', async () => {
      const { window } = open(
        { 'packages/b/b.ts': '../../libs/x/a/src/a', 'tsconfig.json': 'x' },
        {},
        PROJECTS,
      );
      const text = await answer(window, movePath, FOLDER);
      assert.match(
        text,
        /^Each of these: paths updated, .*\nlibs\/x\/a\/tsconfig\.json\ntsconfig\.base\.json\ntsc/,
      );
      assert.match(text, /\nNo problems\.\n/);
      assert.equal(
        disk(window, 'tsconfig.json'),
        PROJECTS['tsconfig.json'].replace('packages/a', 'libs/x/a'),
      );
      assert.match(disk(window, 'tsconfig.base.json'), /"\.\/libs\/x\/a\/src\/\*"/);
      assert.match(
        disk(window, 'libs/x/a/tsconfig.json'),
        /"\.\.\/\.\.\/\.\.\/tsconfig\.base\.json", "include": \["src"\]/,
      );
      assert.equal(disk(window, 'packages/b/b.ts'), PROJECTS['packages/b/b.ts']);
      await answer(window, undoEdit);
      for (const [path, before] of Object.entries(PROJECTS)) assert.equal(disk(window, path), before);
    });

    it('also if only a configuration moves', async () => {
      const { window } = open({}, {}, PROJECTS);
      const move = { source: 'packages/a/tsconfig.json', destination: 'packages/a/src/tsconfig.json' };
      assert.match(await answer(window, movePath, move), /paths updated/);
      assert.match(
        disk(window, 'packages/a/src/tsconfig.json'),
        /"\.\.\/\.\.\/\.\.\/tsconfig\.base.*"include": \["\."\]/,
      );
      assert.match(disk(window, 'tsconfig.json'), /"path": "packages\/a\/src"/);
    });

    it('keeps an entry that TypeScript adds, and none of its others', async () => {
      const { window } = open(undefined, {}, PROJECTS);
      const added = { start: { line: 1, offset: 9 }, end: { line: 1, offset: 9 }, newText: ' ' };
      const wrong = { start: { line: 1, offset: 2 }, end: { line: 1, offset: 9 }, newText: 'x' };
      const body = [{ fileName: window.path('tsconfig.base.json'), textChanges: [added, wrong] }];
      window.fake.answers.set(TSSERVER_REQUEST, async () => ({ body }));
      await answer(window, movePath, FOLDER);
      assert.match(disk(window, 'tsconfig.base.json'), /^\{"compil erOptions".*libs\/x\/a/);
    });

    it('has them read again before problems are asked for, as others report errors of both states', async () => {
      const { window } = open({}, {}, PROJECTS);
      window.fake.extensions.installs('typescript', true);
      const asked: string[] = [];
      window.fake.answers.set('typescript.reloadProjects', async () => void asked.push('reload'));
      window.ctx.language.of = async ({ path }) => {
        asked.push(path);
        return { diagnostics: [], state: 'checked' };
      };
      await answer(window, movePath, FOLDER);
      assert.equal(asked.lastIndexOf('reload'), asked.indexOf('libs/x/a/tsconfig.json') - 1);
    });
  });

  it('names the lines of configurations that name it, or what lies outside of it, by a path or pattern', async () => {
    const tree = {
      'packages/a/src/a.py': '',
      'packages/a/package.json':
        '{"files": ["src"],\n"eslint": "../../eslint.json",\n"main": "./src/a.py"}\n',
      'package.json': '{"workspaces": [\n"packages/*",\n"tools"],\n"name": "a"}\n',
      'eslint.json': '{"ignore": ["**/a/dist"], "files": ["a"]}\n',
      'tools/a.toml': 'path = "../packages/a/src"\n',
      'tools/packages/a/x.yml': '',
      '.github/w.yml': 'run:\n  - cd packages/a && make # packages/ab\n',
      'package-lock.json': '{"packages/a": {}}\n',
      'tools/b.yml': 'x: packages/a\n',
    };
    const { window } = open({}, {}, tree);
    const moved = await answer(window, movePath, { source: 'packages/a', destination: 'libs/x/a' });
    const places = '.github/w.yml:2, package.json:2, libs/x/a/package.json:2, tools/a.toml:1';
    assert.ok(moved.includes(`The move makes paths wrong in 4 lines (${places}): use edit_file.`), moved);
  });

  it('announces its moves and their undo to TypeScript, so that VS Code does not ask', async () => {
    const { window, told } = open({});
    window.fake.extensions.installs('typescript', true);
    await answer(window, movePath, MOVE);
    await answer(window, undoEdit);
    const [from, to] = [window.path('lib/a.ts'), window.path('a.ts')];
    assert.partialDeepStrictEqual(told, [
      { oldFilePath: from, newFilePath: to },
      { oldFilePath: to, newFilePath: from },
    ]);
  });

  describe('of a language whose server updates no imports', () => {
    const LANGUAGES = [
      { id: 'python', extensions: ['.py'] },
      { id: 'cpp', extensions: ['.h', '.cpp'] },
      { id: 'c', extensions: ['.c'] },
      { id: 'go', extensions: ['.go'] },
      { id: 'rust', extensions: ['.rs'] },
      { id: 'shellscript', extensions: ['.sh'] },
    ];

    /** @param move from and to */
    async function moves(tree: Tree, [source, destination]: [string, string], update = (_: Window) => {}) {
      const window = allowing(tree);
      window.fake.extensions.brings({ languages: LANGUAGES });
      const preview = await answer(window, movePath, { source, destination, dryRun: true });
      const done = waitFor(window, movePath, { source, destination });
      update(window);
      return { preview, done: await clock.settle(done, 100) };
    }

    it('names the lines that import the file, also before it is moved', async () => {
      const { preview, done } = await moves(
        {
          'pkg/thing.py': 'import os\n',
          'a.py': 'from pkg import thing, other\n# thing\n',
          'b.py': '  import pkg.thing as m\nthings = thing\n',
          'c.py': 'import things\n',
          'd.txt': 'import thing\n',
        },
        ['pkg/thing.py', 'pkg/new.py'],
      );
      const rest = 'imports of python: 2 lines seem to import thing (a.py:1, b.py:1).';
      assert.ok(preview.includes(`Few language servers update ${rest}`), preview);
      assert.ok(done.includes(`No language server updated ${rest}`), done);
    });

    it('names notebooks whose cells import the file, and does not wait for their problems', async () => {
      const lines = '{"cells": [{"source": [\n  "import os\\n",\n  "from pkg import thing\\n"\n]}]}\n';
      const { preview, done } = await moves(
        { 'pkg/thing.py': '', 'lines.ipynb': lines, 'one.ipynb': '{"source":"x = 1\\nimport pkg.thing"}' },
        ['pkg/thing.py', 'pkg/new.py'],
      );
      const rest = 'imports of python: 2 lines seem to import thing (lines.ipynb:3, one.ipynb:1).';
      assert.ok(preview.includes(rest), preview);
      assert.equal(done.match(/ipynb/g)?.length, 2, done);
    });

    it('knows how files are included in C, and packages imported in Go', async () => {
      for (const [tree, move, lines] of [
        [
          { 'a.h': '', 'a.c': '#include "a.h"\n', 'b.cpp': '# include <sub/a.h>\n#include "aah.h"\n' },
          ['a.h', 'include/a.h'],
          '2 lines seem to import a.h (a.c:1, b.cpp:1)',
        ],
        [
          { 'shape/s.go': 'package shape\n', 'main.go': 'import (\n\tsh "m/shape"\n)\nvar a = "shape"\n' },
          ['shape/s.go', 'geo/s.go'],
          '1 line seems to import shape (main.go:2)',
        ],
      ] as const) {
        const { done } = await moves(tree, [...move]);
        assert.ok(done.includes(lines), done);
      }
      const inPlace = await moves({ 's/a.go': '', 'b.go': 'import "m/s"\n' }, ['s/a.go', 's/b.go']);
      assert.doesNotMatch(inPlace.done, /import/);
    });

    it('finds imports behind other code, in visible modules, over several lines, and by names with signs', async () => {
      for (const [tree, move, lines] of [
        [
          {
            'foo.py': '',
            'a.py': 'try: import foo\nexcept ImportError: foo = None\n',
            'b.py': '\nfrom x import (\n    bar,\n    foo,\n)\n',
            'c.py': 'from x import (bar)\ncall(\n    foo,\n)\n',
          },
          ['foo.py', 'sub/foo.py'],
          '2 lines seem to import foo (a.py:1, b.py:2)',
        ],
        [
          {
            'foo.rs': '',
            'a.rs': 'pub(crate) mod foo;\n',
            'b.rs': 'use crate::{\n    bar,\n    foo::Foo,\n};\n',
          },
          ['foo.rs', 'bar.rs'],
          '2 lines seem to import foo (a.rs:1, b.rs:1)',
        ],
        [
          {
            'lib.sh': '',
            'a.sh':
              '. "$(dirname "$0")/lib.sh"\n[ -f lib.sh ] && . ./lib.sh\nif true; then source lib.sh; fi\n',
            'b.sh': 'source mylib.sh\n',
          },
          ['lib.sh', 'sub/lib.sh'],
          '3 lines seem to import lib.sh (a.sh:1, a.sh:2, a.sh:3)',
        ],
        [
          { '.rc.sh': '', 'a.sh': 'source .rc.sh\n', 'b.sh': 'source my.rc.sh\n' },
          ['.rc.sh', 'sub/.rc.sh'],
          '1 line seems to import .rc.sh (a.sh:1)',
        ],
        [
          { 'pkg/v2/s.go': '', 'main.go': 'import (\n\t"fmt"\n\t"x.y/pkg/v2"\n)\n' },
          ['pkg', 'geo'],
          '1 line seems to import pkg (main.go:3)',
        ],
      ] as const) {
        const { done } = await moves(tree, [...move]);
        assert.ok(done.includes(lines), done);
      }
    });

    it('names lines that only have the name if no import is found, and is not sure that there are none', async () => {
      const tree = { 'foo.py': '', 'a.py': "load_it('foo')\n", 'b.py': 'food()\n' };
      const { done } = await moves(tree, ['foo.py', 'bar.py']);
      assert.match(done, /no import of foo was found by text, but 1 line has its name \(a\.py:1\)\./);
      const { preview } = await moves({ 'foo.py': '', 'b.py': 'food()\n' }, ['foo.py', 'bar.py']);
      assert.match(preview, /no import of foo was found by text\./);
    });

    it('leaves out lines that an extension has changed', async () => {
      const { done } = await moves(
        { 'mod.py': '', 'a.py': 'import mod\n', 'b.py': 'import mod\n' },
        ['mod.py', 'new.py'],
        ({ fake, path }) =>
          fake.api.workspace.onDidRenameFiles(() => {
            fake.person.types(fake.person.loads(path('a.py')), 'import new\n');
          }),
      );
      assert.match(done, /No language server updated .* 1 line seems to import mod \(b\.py:1\)/);
    });

    it('checks the files that import it', async () => {
      const window = allowing({ 'mod.py': '', 'a.py': 'import mod\n' });
      window.fake.extensions.brings({ languages: LANGUAGES });
      const checked: string[] = [];
      window.ctx.language.of = async ({ path }) => {
        checked.push(path);
        return { diagnostics: [], state: 'checked' };
      };
      await answer(window, movePath, { source: 'mod.py', destination: 'new.py' });
      assert.deepEqual(checked, ['mod.py', 'a.py', 'new.py', 'a.py']);
    });

    it('has servers of C read the files again that include it, also with the undo, and says so of those in tabs', async () => {
      const window = allowing({ 'a.h': '', 'b.c': '#include "a.h"\n', 'c.c': '#include "a.h"\n' });
      window.fake.extensions.brings({ languages: LANGUAGES });
      const read: string[] = [];
      window.ctx.language.readAgain = async ({ path }) => {
        read.push(path.slice(-3));
        return !path.endsWith('c.c');
      };
      window.ctx.language.of = async ({ path }) => {
        if (path.endsWith('.c')) Object.assign(documentOf(window, path), { languageId: 'c' });
        return { diagnostics: [], state: 'checked' };
      };
      for (const file of ['b.c', 'c.c']) window.fake.person.loads(window.path(file));
      const moved = await answer(window, movePath, { source: 'a.h', destination: 'in/a.h' });
      assert.match(moved, /No report on the current text of c\.c yet/);
      assert.deepEqual(read, ['b.c', 'c.c']);
      await answer(window, undoEdit);
      assert.deepEqual(read, ['b.c', 'c.c', 'b.c', 'c.c']);
    });
  });
});
