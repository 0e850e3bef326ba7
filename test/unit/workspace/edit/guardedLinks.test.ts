import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { explainAccess } from '../../../../src/workspace/explainAccess.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, openWindow, type Window } from '../../features/window.ts';

const edit = (window: Window, path: string) =>
  window.run(editFile, { path, edits: [{ oldText: 'a', newText: 'b' }] });

/** Whether an edit is asked for though all edits are allowed. */
async function isAsked(window: Window, path: string): Promise<boolean> {
  window.consent.always = ['edit'];
  window.consent.answers.splice(0, 1, { allow: 'once' });
  const before = window.consent.questions.length;
  await edit(window, path);
  const asked = window.consent.questions.slice(before);
  assert.ok(asked.length <= 1, 'asked twice');
  assert.ok(asked.every(({ everyTime }) => everyTime));
  return asked.length === 1;
}

const link = (window: Window, path: string, target: string) => {
  mkdirSync(dirname(window.path(path)), { recursive: true });
  symlinkSync(target, window.path(path));
};

describe('workspace/edit: what guarded names lead to', () => {
  afterEach(cleanUp);

  for (const [what, path, links] of [
    ['a folder', 'config/editor/settings.json', { '.vscode': 'config/editor' }],
    ['a folder above a guarded one', 'ci/workflows/a.yml', { '.github': 'ci' }],
    ['a file', 'docs/agents.md', { 'CLAUDE.md': 'docs/agents.md' }],
    ['a file in a guarded folder', 'conf/a.json', { '.claude/settings.json': '../conf/a.json' }],
    [
      'a link that is in what a link leads to',
      'deep/a.json',
      { '.vscode': 'one', 'one/tasks.json': '../deep/a.json' },
    ],
  ] as const) {
    itWithLinks(`is asked for each time: ${what}`, async () => {
      const window = openWindow({ [path]: 'a\n', 'other.txt': 'a\n' });
      for (const [from, to] of Object.entries(links)) link(window, from, to);
      assert.deepEqual([await isAsked(window, path), await isAsked(window, 'other.txt')], [true, false]);
    });
  }

  itWithLinks('is explained by the name that leads to it', async () => {
    const window = openWindow({ 'config/settings.json': 'a\n' });
    link(window, '.vscode', 'config');
    const { guard } = await explainAccess(window.fake.api, [], 'config/settings.json');
    assert.equal(guard?.name, window.path('.vscode/settings.json'));
  });

  itWithLinks('comes to an end where links lead in circles', async () => {
    const window = openWindow({ 'x/a.txt': 'a\n' });
    link(window, 'x/self', '.');
    link(window, 'x/up', '..');
    assert.equal(await isAsked(window, 'x/a.txt'), false);
  });

  it('is not asked twice of package.json', async () => {
    const window = openWindow({ 'package.json': '{"a": 1}\n' });
    assert.equal(await isAsked(window, 'package.json'), true);
  });
});
