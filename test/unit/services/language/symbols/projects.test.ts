import assert from 'node:assert/strict';
import type { Position } from 'vscode';
import { movePath } from '../../../../../src/features/manage/paths.ts';
import { renameSymbol } from '../../../../../src/features/refactor/renameSymbol.ts';
import { findReferences } from '../../../../../src/features/symbols/findPlaces.ts';
import {
  type FilesArguments,
  NOT_LOADED,
  TSSERVER_REQUEST,
  UNRESOLVED,
} from '../../../../../src/tsserver/commands.ts';
import { holdClock } from '../../../../fakes/clock.ts';
import { refused } from '../../../features/editing.ts';
import { placesOf, renames, withServer } from '../../../features/symbols/server.ts';
import { cleanUp, type Tree, textsOf, type Window } from '../../../features/window.ts';

const TREE: Tree = {
  'a/a.ts': 'const only = 1;\nrun() {\n  const local = 1;\n}\n',
  'a/b/b.test.ts': "import './../a';\nonly;\n",
  'a/d/d.test.ts': 'only;\n',
  'b/b.js': 'const two = only;\nlocal;\n',
  'c/c.ts': 'other;\n',
};
const ONLY = { symbol: 'only', path: 'a/a.ts' };

const loaded = ({ fake }: Window) => fake.documents.map(({ uri }) => uri.fsPath);

/** @param inProjects what the server has loaded without an open file; undefined if it is too busy to tell */
function open(inProjects?: readonly string[], tree: Tree = TREE): Window {
  const window = withServer(tree);
  window.fake.answers.set('vscode.executeReferenceProvider', (_, at) =>
    placesOf(window, (at as Position).line === 0 ? 'only' : 'local', 'a/a.ts'),
  );
  window.fake.answers.set(TSSERVER_REQUEST, (command, asked) => {
    if (command !== NOT_LOADED) return undefined;
    if (!inProjects) return new Promise(() => {});
    const known = new Set([...inProjects.map((path) => window.path(path)), ...loaded(window)]);
    return { body: (asked as FilesArguments).files.filter((file) => !known.has(file)) };
  });
  renames(window, 'only', 'a/a.ts');
  return window;
}

describe('services/language/symbols/projects', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('loads a file of each project that has the name, the nearest first, and no other', async () => {
    const window = open(['a/d/d.test.ts']);
    const texts = textsOf(await window.run(findReferences, ONLY));
    assert.equal(texts.length, 1);
    const paths = ['a/a.ts', 'a/b/b.test.ts', 'b/b.js'].map((path) => window.path(path));
    assert.deepEqual(loaded(window), paths);
  });

  it('loads those that know it by another name only: of an export, or of the file whose default it is', async () => {
    const window = open([], {
      ...TREE,
      'a/b/b.test.ts': 'export {\n  only as twice,\n};\nexport { twice as enum } from "x";\n',
      'a/d/d.test.ts': 'import z from "x";\nz.enum();\n',
      'b/b.js': 'export default only;\n',
      'c/c.ts': 'import other from "../b/b.js";\n',
    });
    await window.run(findReferences, ONLY);
    const paths = ['a/a.ts', 'a/b/b.test.ts', 'a/d/d.test.ts', 'b/b.js', 'c/c.ts'];
    assert.deepEqual(
      loaded(window),
      paths.map((path) => window.path(path)),
    );
  });

  it('names the lines behind imports that lead to nothing in the workspace, and renames nothing then', async () => {
    const window = open(['a/b/b.test.ts', 'a/d/d.test.ts', 'b/b.js', 'c/c.ts'], {
      ...TREE,
      'b/package.json': '{ "name": "@own/b" }\n',
      'a/logo.svg': '<svg/>\n',
    });
    const imports = [
      { file: 'a/b/b.test.ts', specifier: '@own/b/lib', names: ['only'] },
      { file: 'a/d/d.test.ts', specifier: '@other/c', names: ['*'] },
      { file: 'b/b.js', specifier: '../a/logo.svg', names: ['*'] },
    ].map((one) => ({ ...one, file: window.path(one.file) }));
    const given = window.fake.answers.get(TSSERVER_REQUEST);
    window.fake.answers.set(TSSERVER_REQUEST, (command, asked) =>
      command === UNRESOLVED ? { body: imports } : given?.(command, asked),
    );
    const note =
      /Incomplete: 1 line with the name in files that import what TypeScript does not find, such as "@own\/b\/lib" \(a\/b\/b\.test\.ts:2\): install or build it, then call again\.$/;
    assert.match(textsOf(await window.run(findReferences, ONLY)).at(-1) ?? '', note);
    await refused(window.run(renameSymbol, { ...ONLY, newName: 'all' }), note);
  });

  it('has projects read again if a script that is there stays missing to the server', async () => {
    const window = open(['a/b/b.test.ts', 'a/d/d.test.ts', 'b/b.js', 'c/c.ts']);
    const id = 'vscode.typescript-language-features';
    window.fake.extensions.adds({ id, packageJSON: { name: id }, isActive: true, activate: async () => {} });
    const given = window.fake.answers.get(TSSERVER_REQUEST);
    let isMissing = true;
    const imports = [{ file: window.path('a/b/b.test.ts'), specifier: './../a.js', names: ['only'] }];
    window.fake.answers.set(TSSERVER_REQUEST, (command, asked) =>
      command === UNRESOLVED ? { body: isMissing ? imports : [] } : given?.(command, asked),
    );
    window.fake.answers.set('typescript.reloadProjects', () => {
      isMissing = false;
    });
    const texts = textsOf(await clock.settle(window.run(findReferences, ONLY), 3_000));
    assert.equal(isMissing, false);
    assert.equal(texts.length, 1);
  });

  it('loads none for a local name', async () => {
    const window = open([]);
    await window.run(findReferences, { path: 'a/a.ts', line: 3, symbol: 'local' });
    assert.deepEqual(loaded(window), [window.path('a/a.ts')]);
  });

  it('says what is left out if TypeScript takes too long', async () => {
    const found = clock.settle(open().run(findReferences, ONLY), 20_000);
    assert.match(
      textsOf(await found).at(-1) ?? '',
      /^Incomplete: TypeScript has not loaded all projects yet; 3 lines of others have the name too .*Call again\.$/,
    );
  });

  it('renames and moves nothing then', async () => {
    const renamed = open().run(renameSymbol, { ...ONLY, newName: 'all' });
    await refused(clock.settle(renamed, 20_000), /^Nothing was renamed\. Incomplete: TypeScript has not/);
    const moved = open().run(movePath, { source: 'a/a.ts', destination: 'a/z.ts' });
    await refused(clock.settle(moved, 20_000), /^Nothing was moved: TypeScript is still loading/);
  });
});
