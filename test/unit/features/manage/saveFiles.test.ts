import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { saveFiles } from '../../../../src/features/manage/saveFiles.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { itWithLinks } from '../../../temporary.ts';
import { disk, ONCE, refused, answer as waitFor } from '../editing.ts';
import { cleanUp, openWindow, type Window } from '../window.ts';

/** A window with unsaved text in all of its files. */
function typed(...names: string[]): Window {
  const window = openWindow({
    ...Object.fromEntries(names.map((name) => [name, 'saved\r\n'])),
    'clean.txt': '',
  });
  for (const name of names)
    window.fake.person.types(window.fake.person.loads(window.path(name)), 'typed\r\n');
  return window;
}

describe('features/manage/saveFiles', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  const answer = (window: Window, args: object = {}) => clock.settle(waitFor(window, saveFiles, args), 50);

  it('saves all unsaved text, once the person has seen what changes on the disk, but none that is closed', async () => {
    const window = typed('a.txt', 'b.txt', '.env');
    window.consent.answers.push(ONCE);
    assert.equal(await answer(window), 'a.txt: saved, version 2.\nb.txt: saved, version 2.');
    const texts = ['a.txt', 'b.txt', '.env'].map((file) => disk(window, file));
    assert.deepEqual(texts, ['typed\r\n', 'typed\r\n', 'saved\r\n']);
    const [question, ...others] = window.consent.questions;
    assert.deepEqual([question?.kind, others], ['edit', []]);
    const diffs = question?.diffs?.map(({ path, before, after }) => `${path}: ${before}${after}`);
    assert.deepEqual(diffs, ['a.txt: saved\ntyped\n', 'b.txt: saved\ntyped\n']);
    await refused(answer(window), /^There is no unsaved text/);
    await refused(answer(window, { paths: ['.env'] }), /closed to agents/);
  });

  it('shows what would be saved, redacted, and tells of each file why it is not saved', async () => {
    const window = typed('a.txt', 'b.txt');
    const [, b = assert.fail()] = window.fake.documents;
    b.isDirty = false;
    assert.match(await answer(window, { dryRun: true }), /^--- a\.txt.*\n-saved\n\+typed\n$/s);
    window.fake.person.sets('workspaceMcp.access.redact', ['y.e']);
    assert.match(await answer(window, { dryRun: true }), /\n-saved\n\+t\[redacted\]d\n$/);
    assert.deepEqual([disk(window, 'a.txt'), window.consent.questions], ['saved\r\n', []]);
    Object.assign(b, { isDirty: true, isSavable: false });
    window.fake.person.opensUntitled('Untitled-1', 'new');
    window.consent.answers.push(ONCE);
    const text = await answer(window);
    const saved = 'a.txt: saved, version 2.\nb.txt: not saved: VS Code could not save b.txt: it may be';
    assert.equal(text.slice(0, saved.length), saved);
    assert.match(text, /\nuntitled:Untitled-1: not saved: it has no file yet\. Ask the user to save it/);
    const clean = answer(window, { paths: ['clean.txt'] });
    await refused(clean, /^clean\.txt is not saved: it has no unsaved text\.$/);
  });

  it('asks again if the text changes meanwhile, and each time about guarded files', async () => {
    const window = typed('a.txt', 'package.json');
    window.consent.always = ['edit'];
    window.consent.otherwise = () => {
      window.consent.otherwise = () => ONCE;
      window.fake.person.types(window.fake.documents[0] as never, 'more\r\n');
      return ONCE;
    };
    await answer(window);
    assert.equal(disk(window, 'a.txt'), 'more\r\n');
    const [first, second] = window.consent.questions;
    assert.deepEqual([first?.again, second?.again], [undefined, true]);
    assert.deepEqual([first?.everyTime, second?.everyTime], [true, true]);
  });

  itWithLinks('asks each time about a file that is gone and has a guarded name by a link', async () => {
    const window = typed('conf/t.json');
    const { person } = window.fake;
    symlinkSync('conf', window.path('x'));
    mkdirSync(window.path('.vscode'));
    symlinkSync('../conf/t.json', window.path('.vscode/tasks.json'));
    person.types(person.loads(window.path('x/t.json')), 'typed\r\n');
    rmSync(window.path('conf/t.json'));
    window.consent.always = ['edit'];
    window.consent.otherwise = () => ONCE;
    await answer(window, { paths: ['x/t.json'] });
    assert.equal(window.consent.questions[0]?.everyTime, true);
  });
});
