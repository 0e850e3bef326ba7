import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { applyPatch } from '../../../src/features/edit/applyPatch.ts';
import { deletePath, movePath } from '../../../src/features/manage/paths.ts';
import { undoEdit } from '../../../src/features/manage/undoEdit.ts';
import { writeFile } from '../../../src/features/manage/writeFile.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { restore } from '../../../src/workspace/edit/operations/keptFiles.ts';
import { holdClock } from '../../fakes/clock.ts';
import { until } from '../../until.ts';
import { cleanUp, openWindow, type Window } from '../features/window.ts';
import { write } from '../workspace/openWindow.ts';

/** A window with these files, whose user allows edits and deletions in advance. */
function allowing(files = 'a.txt'): Window {
  const window = openWindow(Object.fromEntries(files.split(' ').map((path) => [path, ''])));
  window.consent.always = ['edit', 'delete'];
  return window;
}

/** Parts of a Git directory, without a head and a configuration. */
const PARTS = 'r/objects/x r/refs/x';

const OBJECTS = 'r/objects';

const REFUSED = /would become a Git directory/;

/** How often changes of imports are looked for after a move, in milliseconds. */
const STEP = 100;

const created = (...paths: string[]): string =>
  paths.map((path) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`).join('');

describe('disk/gitDirectories: what would become a Git directory', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  const cases: Record<string, [there: string, tool: Tool, args: object, made: string]> = {
    'by one patch': ['b', applyPatch, { patch: created('r/objects/x', 'r/refs/x', 'r/HEAD') }, 'r'],
    'by its head': [PARTS, writeFile, { path: 'r/HEAD', content: 'x' }, 'r/HEAD'],
    'by its configuration': [PARTS, writeFile, { path: 'r/config', content: 'x' }, 'r/config'],
    'by a folder': ['r/objects/x r/HEAD', writeFile, { path: 'r/refs/' }, 'r/refs'],
    'by a folder above': ['r/refs/x r/HEAD', writeFile, { path: 'r/objects/y/x', content: '' }, 'r/objects'],
    'as a worktree': ['r/HEAD', writeFile, { path: 'r/commondir', content: '../evil' }, 'r/commondir'],
    'by a move': [`${PARTS} t.txt`, movePath, { source: 't.txt', destination: 'r/config' }, 'r/config'],
    'by a folder’s move': ['r/refs/x r/config t/x', movePath, { source: 't', destination: OBJECTS }, OBJECTS],
    'by a copy': [
      `${PARTS} t.txt`,
      movePath,
      { source: 't.txt', destination: 'r/HEAD', copy: true },
      'r/HEAD',
    ],
    'by a long s': ['r/objects/x r/HEAD', writeFile, { path: 'r/ref\u017f/' }, 'r/ref\u017f'],
    'in another case': [PARTS, writeFile, { path: 'r/head', content: 'x' }, 'r/head'],
  };
  for (const [how, [there, tool, args, made]] of Object.entries(cases))
    it(`is refused: ${how}`, async () => {
      const window = allowing(there);
      await assert.rejects(window.run(tool, args), REFUSED);
      assert.equal(existsSync(window.path(made)), false);
      assert.equal(window.consent.questions.length, 0);
    });

  it('is refused by calls in a row, and also if they wait for each other', async () => {
    const window = allowing();
    const parts = ['r/HEAD', 'r/config', 'r/objects/x', 'r/refs/x'];
    const ends = await Promise.allSettled(parts.map((path) => window.run(writeFile, { path, content: 'x' })));
    const refused = ends.flatMap((one) => (one.status === 'rejected' ? [`${one.reason}`] : []));
    assert.equal(refused.length, 1);
    assert.match(refused.join(), REFUSED);
  });

  it('is refused also if it comes to be while the user is asked', async () => {
    const window = openWindow({ 't/a.txt': 'a', 'u.txt': '' });
    const moving = window.run(movePath, { source: 't', destination: 'u' });
    await until(() => window.consent.open === 1, 'the question');
    for (const path of ['t/objects/x', 't/refs/x']) write(window.path(path), '');
    window.consent.otherwise = () => ({ allow: 'once' });
    window.consent.answer({ allow: 'once' });
    const writing = window.run(writeFile, { path: 'u/HEAD', content: 'x' });
    const ends = await clock.settle(Promise.allSettled([moving, writing]), STEP);
    assert.ok(ends.some((one) => one.status === 'rejected'));
    const [first, again] = window.consent.questions;
    assert.deepEqual([first?.diffs?.[0]?.operation?.files, again?.again], [1, true]); // another folder than was shown
  });

  it('is refused by an undo, and by the user’s revert', async () => {
    const window = allowing('r/HEAD r/refs/x');
    await window.run(deletePath, { path: 'r/HEAD' });
    await window.run(writeFile, { path: 'r/objects/' });
    await assert.rejects(window.run(undoEdit, { id: 1 }), REFUSED);
    const uri = window.fake.api.Uri.file(window.path('r/HEAD'));
    await assert.rejects(restore(window.fake.api, [{ uri, bytes: Buffer.from('x') }]), REFUSED);
    assert.equal(existsSync(window.path('r/HEAD')), false);
  });

  it('is refused to a dry run too, but not folders with some of the names', async () => {
    const window = allowing(`${PARTS} src/objects/a.ts src/refs/b.ts`);
    await assert.rejects(window.run(applyPatch, { patch: created('r/HEAD'), dryRun: true }), REFUSED);
    await window.run(writeFile, { path: 'src/config/c.ts', content: 'x' });
    await window.run(writeFile, { path: 'src/HEAD.ts', content: 'x' });
    assert.ok(existsSync(window.path('src/config/c.ts')));
  });

  it('that came while an agent worked is closed at once', async () => {
    const window = allowing('r/objects/x r/notes.txt r/HEAD');
    const { files } = window.ctx;
    await files.locate('r/notes.txt');
    mkdirSync(window.path('r/refs')); // by another program
    await window.run(writeFile, { path: 'elsewhere/' });
    await assert.rejects(files.locate('r/notes.txt'), /is closed to agents/);
  });

  it('refuses folders whose files would be closed at their new place', async () => {
    const window = allowing('t/config.yml');
    const moving = window.run(movePath, { source: 't', destination: '.fly' });
    await assert.rejects(moving, /would hold files that are closed to you there/);
  });
});
