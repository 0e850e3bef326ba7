import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { editFile } from '../../../src/features/edit/editFile.ts';
import { deletePath, movePath } from '../../../src/features/manage/paths.ts';
import { undoEdit } from '../../../src/features/manage/undoEdit.ts';
import { writeFile } from '../../../src/features/manage/writeFile.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { explainAccess } from '../../../src/workspace/explainAccess.ts';
import { holdClock } from '../../fakes/clock.ts';
import { itWithLinks } from '../../temporary.ts';
import { cleanUp, openWindow, type Window } from '../features/window.ts';

/** How often changes of imports are looked for after a move, in milliseconds. */
const STEP = 100;

const link = (window: Window, path: string, target: string) => {
  mkdirSync(dirname(window.path(path)), { recursive: true });
  symlinkSync(target, window.path(path));
};

describe('disk/linkedNames: what guarded names lead to', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  const guardOf = async (window: Window, path: string) =>
    (await explainAccess(window.fake.api, [], path)).guard?.guarded;

  /** Whether a call is asked for though all edits and deletions are allowed. */
  async function isAskedFor(window: Window, tool: Tool, args: object): Promise<boolean> {
    window.consent.always = ['edit', 'delete'];
    window.consent.answers.splice(0, 1, { allow: 'once' });
    const before = window.consent.questions.length;
    await clock.settle(window.run(tool, args), STEP);
    const asked = window.consent.questions.slice(before);
    assert.ok(asked.length <= 1, 'asked twice');
    assert.ok(asked.every(({ grants }) => grants.length === 0));
    return asked.length === 1;
  }

  const isAsked = (window: Window, path: string) =>
    isAskedFor(window, editFile, { path, edits: [{ oldText: 'a', newText: 'b' }] });

  const LINKS: Record<string, [path: string, links: Record<string, string>]> = {
    'a folder': ['config/editor/settings.json', { '.vscode': 'config/editor' }],
    'a folder above a guarded one': ['ci/workflows/a.yml', { '.github': 'ci' }],
    'a file': ['docs/agents.md', { 'CLAUDE.md': 'docs/agents.md' }],
    'a file in a guarded folder': ['conf/a.json', { '.claude/settings.json': '../conf/a.json' }],
    'a link in what a link leads to': ['d/a.json', { '.vscode': 'one', 'one/tasks.json': '../d/a.json' }],
    'a closed hook': ['check.sh', { '.git/hooks/pre-commit': '../../check.sh' }],
    'a closed folder': ['scripts/check.sh', { '.git/hooks': '../scripts' }],
    'a closed configuration': ['check.sh', { '.git/config': '../check.sh' }],
    'a secret': ['check.sh', { '.env': 'check.sh' }],
  };
  for (const [what, [path, links]] of Object.entries(LINKS))
    itWithLinks(`is asked for each time: ${what}`, async () => {
      const window = openWindow({ [path]: 'a\n', 'other.txt': 'a\n' });
      for (const [from, to] of Object.entries(links)) link(window, from, to);
      assert.deepEqual([await isAsked(window, path), await isAsked(window, 'other.txt')], [true, false]);
    });

  itWithLinks('is explained by the name that leads to it, also where links lead in circles', async () => {
    const window = openWindow({ 'config/settings.json': 'a\n', 'x/a.txt': 'a\n' });
    for (const [from, to] of Object.entries({ '.vscode': 'config', 'x/self': '.', 'x/up': '..' }))
      link(window, from, to);
    const { guard } = await explainAccess(window.fake.api, [], 'config/settings.json');
    assert.equal(guard?.name, window.path('.vscode/settings.json'));
    assert.equal(await isAsked(window, 'x/a.txt'), false);
  });

  itWithLinks('is asked for when a broken link gets its target', async () => {
    const window = openWindow({ 'a.txt': 'a\n' });
    link(window, '.vscode/tasks.json', '../config/t.json');
    link(window, '.github', 'ci');
    for (const path of ['config/t.json', 'ci/workflows/a.yml', 'other/t.json']) {
      const isAsked = await isAskedFor(window, writeFile, { path, content: '{}' });
      assert.equal(isAsked, !path.startsWith('other'), path);
    }
  });

  describe('in a folder', () => {
    const paths = ['config/t.json', 'config/vs/x.json', 'evil/t.json', 'evil/vs/x.json'];
    const tree = Object.fromEntries(paths.map((path) => [path, path]));
    for (const [what, from, to] of [
      ['a file', '.vscode/tasks.json', '../config/t.json'],
      ['a folder', '.vscode', 'config/vs'],
    ] as const)
      itWithLinks(`${what} is asked for if it is changed or comes back`, async () => {
        const window = openWindow(tree);
        link(window, from, to);
        assert.ok(
          !(await isAskedFor(window, movePath, { source: 'config', destination: 'copy', copy: true })),
        );
        assert.ok(await isAskedFor(window, deletePath, { path: 'config' }));
        for (const copy of [false, true]) {
          const coming = isAskedFor(window, movePath, { source: 'evil', destination: 'config', copy });
          await assert.rejects(coming, /would hold files that are guarded there/, 'not unseen');
        }
        assert.ok(await isAskedFor(window, undoEdit, {}));
        assert.ok(await isAskedFor(window, movePath, { source: 'config', destination: 'old' }));
      });
  });

  itWithLinks('is found by the one that counts of 120 links, behind 300 other folders', async () => {
    const window = openWindow({ 'config/t.json': 'a\n', 'other.txt': 'a\n' });
    for (let i = 0; i < 300; i++) mkdirSync(window.path(`.${i}`));
    for (let i = 0; i < 120; i++) link(window, `.a/l${i}`, '../config/t.json');
    link(window, '.vscode/tasks.json', '../config/t.json');
    assert.equal((await guardOf(window, 'config/t.json'))?.by, 'table');
    assert.equal(await guardOf(window, 'other.txt'), undefined);
  });

  itWithLinks('passes over links to their own folder, but not if their name counts', async () => {
    const window = openWindow({ 'settings.txt': 'a\n', 'config/t.json': 'a\n' });
    for (let i = 0; i < 60; i++) link(window, `l${i}`, '.');
    assert.equal(await guardOf(window, 'settings.txt'), undefined);
    link(window, '.github', '.');
    link(window, 'workflows', 'config');
    assert.equal((await guardOf(window, 'config/x.yml'))?.by, 'table');
  });

  itWithLinks('is asked for all files if there are too many links', async () => {
    const window = openWindow({ 'other.txt': 'a\n', 'd/a.txt': 'a\n' });
    for (let i = 0; i < 50; i++) link(window, `.l${i}`, '.');
    assert.deepEqual(await guardOf(window, 'other.txt'), { by: 'links' });
    assert.ok(await isAsked(window, 'other.txt'));
    assert.ok(await isAskedFor(window, deletePath, { path: 'd' }));
  });

  it('is not asked for folders that have the name of a guarded file', async () => {
    const tree = ['build/a.txt', 'd/workspace/a.txt', 'd/.vscode/a.txt'].map((path) => [path, 'a\n']);
    const window = openWindow(Object.fromEntries(tree));
    for (const [isAsked, tool, args] of [
      [false, writeFile, { path: 'pkg/build/' }],
      [false, writeFile, { path: 'tasks.py/' }],
      [false, deletePath, { path: 'build' }],
      [false, movePath, { source: 'd/workspace', destination: 'e/workspace' }],
      [true, writeFile, { path: '.idea/' }],
      [true, deletePath, { path: 'd' }],
    ] as const)
      assert.equal(await isAskedFor(window, tool, args), isAsked, JSON.stringify(args));
  });
});
