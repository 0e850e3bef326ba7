import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import * as z from 'zod';
import type { Answer, Question } from '../../../../src/access/consent/types.ts';
import { CancelledError, UserError } from '../../../../src/core/errors.ts';
import { defineTool, text } from '../../../../src/features/tool.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { itWithLinks } from '../../../temporary.ts';
import { until } from '../../../until.ts';
import { CALL, cleanUp, openWindow, textsOf, type Window } from '../../features/window.ts';

const ONCE: Answer = { allow: 'once' };

let onPlan = () => {};

/** Replaces `a` by `b` in several files at once. */
const editAll = defineTool({
  name: 'edit_all',
  title: 'Edit all',
  description: 'For this test.',
  group: 'edit',
  operation: 'edit',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ paths: z.array(z.string()), expectedVersion: z.int().optional() }),
  async run({ paths, expectedVersion }, { files }, call) {
    const plan = (before: string) => {
      onPlan();
      if (!before.includes('a')) throw new UserError('There is no a.');
      return before.replace('a', 'b');
    };
    const locations = await Promise.all(paths.map((path) => files.locate(path)));
    const edits = locations.map((location) => ({ location, plan, did: () => '', expectedVersion }));
    const done = await files.edits.make({ edits }, call);
    return text(
      done.saved.map(({ location, version, saved }) => `${location.path} ${version} ${saved}`).join(),
    );
  },
});

const disk = (window: Window, ...paths: string[]): string[] =>
  paths.map((path) => readFileSync(window.path(path), 'utf8'));

const TREE = { x: 'a\n', y: '1 a\n', z: 'a 2\n' };
const ALL = { paths: ['x', 'y', 'z'] };

/** A window whose user allows the first edit, and the documents of its files. */
function open(tree = TREE) {
  const window = openWindow(tree);
  window.consent.answers.push(ONCE);
  const [x, y, z] = ALL.paths.map((path) => window.fake.person.loads(window.path(path)));
  assert.ok(x && y && z);
  return { window, x, y, z };
}

/** How often VS Code's own save is looked for, in milliseconds. */
const PAUSE = 50;

describe('workspace/edit/filesEdit: several files', () => {
  const clock = holdClock();

  afterEach(() => {
    onPlan = () => {};
    cleanUp();
  });

  const isRefused = (window: Window, reason: RegExp | typeof CancelledError, args: object = ALL) =>
    assert.rejects(clock.settle(window.run(editAll, args), PAUSE), reason);

  it('are asked for in one question with all diffs, saved, and one undo step each', async () => {
    const { window, x, y } = open();
    assert.deepEqual(textsOf(await window.run(editAll, ALL)), ['x 2 saved,y 2 saved,z 2 saved']);
    const [question, ...others] = window.consent.questions;
    assert.deepEqual([question?.subject, others], ['x', []]);
    const after = ['b\n', '1 b\n', 'b 2\n'];
    const diffs = question?.diffs?.map(({ uri, before, after }) => [`${uri}`, before, after]);
    const expected = Object.entries(TREE).map(([path, text], at) => [window.uri(path), text, after[at]]);
    assert.deepEqual(diffs, expected);
    assert.deepEqual(disk(window, 'x', 'y', 'z'), after);
    window.fake.person.undoes(x);
    assert.deepEqual([x.getText(), y.getText()], ['a\n', '1 b\n']);
  });

  itWithLinks(
    'stay as they are, and nobody is asked, if one does not fit, is named twice or has another version',
    async () => {
      const { window } = open({ ...TREE, z: 'no\n' });
      symlinkSync('x', window.path('link'));
      await isRefused(window, /There is no a/);
      await isRefused(window, /x is named twice/, { paths: ['x', 'y', './x'] });
      await isRefused(window, /named twice/, { paths: ['x', 'link'] });
      window.fake.person.types(window.fake.person.opensTab(window.path('y')), '1 a!\n');
      await isRefused(window, /^UserError: y is unchanged/, { paths: ['x', 'y'], expectedVersion: 1 });
      assert.deepEqual([window.consent.questions, disk(window, 'x', 'y')], [[], ['a\n', '1 a\n']]);
    },
  );

  it('are all taken back if VS Code does not apply a later one, or one cannot be saved', async () => {
    const { window, y } = open();
    const { workspace } = window.fake.api;
    const { applyEdit } = workspace;
    let count = 0;
    workspace.applyEdit = async (edit) => ++count !== 3 && applyEdit(edit);
    await isRefused(window, /did not apply the edit to z/);
    workspace.applyEdit = applyEdit;
    y.isSavable = false;
    window.consent.answers.push(ONCE);
    await isRefused(window, /could not save y.*was reverted/);
    assert.deepEqual(disk(window, 'x', 'y', 'z'), Object.values(TREE));
    for (const document of window.fake.documents) assert.match(document.getText(), /a/);
  });

  it('are given up if the text keeps changing for seconds', async () => {
    const { window, x } = open();
    window.consent.always = ['edit'];
    let tries = 0;
    window.fake.api.workspace.applyEdit = async () => {
      window.fake.person.types(x, `a ${++tries}\n`);
      clock.tick(100);
      return false;
    };
    await isRefused(window, /its text keeps changing/);
    assert.ok(tries >= 50, `${tries}`);
  });

  it('name those that the user has changed meanwhile, whose text stays', async () => {
    const { window, x, y } = open();
    y.save = async () => {
      window.fake.person.types(x, 'typed\n');
      return false;
    };
    await isRefused(window, /could not save y[\s\S]*Not restored: x \(its text changed/);
    assert.deepEqual(disk(window, 'x', 'y', 'z'), ['b\n', '1 a\n', 'a 2\n']);
    assert.equal(x.getText(), 'typed\n');
  });

  it('are taken back as they were formatted on saving, and named if formatters change them again', async () => {
    const { window, x, y, z } = open({ ...TREE, z: 'a 2  \n' });
    x.onSave = (text) => text.replace('b', 'b;');
    y.isSavable = false;
    z.onSave = (text) => text.replace(/ +$/m, '');
    await isRefused(window, /Not restored: z \(VS Code changed it while saving\)/);
    assert.deepEqual(disk(window, 'x', 'y', 'z'), ['a\n', '1 a\n', 'a 2\n']);
  });

  it('are taken back though VS Code has let go of a saved one, and named if that cannot be saved', async () => {
    const { window, x, y } = open();
    y.save = async () => {
      window.fake.person.closes(x);
      window.fake.person.loads(window.path('x')).isSavable = false;
      return false;
    };
    await isRefused(window, /Not restored: x \(VS Code could not save it again\)/);
    assert.deepEqual(disk(window, 'y', 'z'), ['1 a\n', 'a 2\n']);
  });

  it('are edited and saved though VS Code closes those that no tab shows, beyond 50', async () => {
    const { window } = open();
    const { applyEdit } = window.fake.api.workspace;
    window.fake.api.workspace.applyEdit = async (edit) => {
      const isApplied = await applyEdit(edit);
      for (const document of [...window.fake.documents]) {
        if (document.isDirty) await document.save(); // `files.autoSave` comes first
        window.fake.person.closes(document);
      }
      return isApplied;
    };
    assert.match(textsOf(await window.run(editAll, ALL)).join(), /^x \d saved,y \d saved,z \d saved$/);
    assert.deepEqual(disk(window, 'x', 'y', 'z'), ['b\n', '1 b\n', 'b 2\n']);
  });

  it('leave no tabs that VS Code opens for unsaved texts, but those of the user', async () => {
    const window = openWindow(TREE);
    window.consent.always = ['edit'];
    const { person, api, tabs } = window.fake;
    person.opensTab(window.path('x'));
    const { applyEdit } = api.workspace;
    api.workspace.applyEdit = async (edit) => {
      const isApplied = await applyEdit(edit);
      if (tabs.length === 1) for (const path of ['y', 'z']) person.opensTab(window.path(path));
      return isApplied;
    };
    await window.run(editAll, ALL);
    assert.deepEqual(
      tabs.map(({ input }) => (input as { uri: { fsPath: string } }).uri.fsPath),
      [window.path('x')],
    );
  });

  it('are done also if such a tab is closed by the user just then', async () => {
    const window = openWindow(TREE);
    window.consent.always = ['edit'];
    const { person, api } = window.fake;
    const { applyEdit } = api.workspace;
    api.workspace.applyEdit = async (edit) => {
      person.opensTab(window.path('y'));
      return applyEdit(edit);
    };
    api.window.tabGroups.close = async () => {
      throw new Error('Tab close: Invalid tab not found!');
    };
    assert.match(textsOf(await window.run(editAll, ALL)).join(), /x \d saved,y \d saved/);
  });

  it('leave what the user types meanwhile to them', async () => {
    const { window, x, y } = open();
    const save = x.save.bind(x);
    x.save = async () => {
      window.fake.person.types(y, '1 b typed\n');
      return save();
    };
    assert.deepEqual(textsOf(await window.run(editAll, ALL)), ['x 2 saved,y 3 theirs,z 2 saved']);
    assert.deepEqual(disk(window, 'y'), ['1 a\n']);
  });

  it('are asked for again, all of them, if one has become another change', async () => {
    const window = openWindow(TREE);
    const y = window.fake.person.opensTab(window.path('y'));
    const editing = window.run(editAll, ALL);
    await until(() => window.consent.questions.length > 0, 'the question');
    window.fake.person.types(y, '3 a\n');
    window.consent.answers.push(ONCE);
    window.consent.answer(ONCE);
    await editing;
    const [, again] = window.consent.questions;
    assert.deepEqual(
      [again?.again, again?.diffs?.map(({ after }) => after)],
      [true, ['b\n', '3 b\n', 'b 2\n']],
    );
  });

  it('are asked about as they are while the user types, and are made with one yes', async () => {
    const window = openWindow(TREE);
    const y = window.fake.person.opensTab(window.path('y'));
    const editing = window.run(editAll, ALL);
    await until(() => window.consent.questions.length > 0, 'the question');
    const seen: Question[] = [];
    window.consent.questions[0]?.follow?.((now) => seen.push(now));
    window.fake.person.types(y, '3 a\n');
    window.fake.person.types(y, '4 a\n');
    await clock.passWait(300);
    await until(() => seen.length > 0, 'the question as it is now');
    assert.deepEqual(
      seen.map(({ again, diffs }) => [again, diffs?.[1]?.after]),
      [[true, '4 b\n']],
    );
    window.consent.answer(ONCE);
    assert.match(textsOf(await editing).join(), /y \d theirs/);
    assert.equal(window.consent.questions.length, 1);
  });

  for (const [when, at] of [
    ['right before it is applied', 0],
    ['while it is applied, and what is applied is taken back', 1],
  ] as const) {
    it(`stay as they are if the call is cancelled ${when}`, async () => {
      const window = openWindow(TREE);
      window.consent.always = ['edit'];
      const cancel = new AbortController();
      const { applyEdit } = window.fake.api.workspace;
      const x = window.fake.person.loads(window.path('x'));
      let count = 0;
      window.fake.api.workspace.applyEdit = async (edit) => {
        if (++count === at) cancel.abort();
        return applyEdit(edit);
      };
      let plans = 0;
      onPlan = () => {
        plans++;
        if (at !== 0) return;
        // Once all are planned, the user types in one: it is planned again.
        if (plans === ALL.paths.length) window.fake.person.types(x, 'a, more\n');
        if (plans > ALL.paths.length) cancel.abort();
      };
      const editing = window.run(editAll, ALL, { ...CALL, signal: cancel.signal });
      await assert.rejects(editing, CancelledError);
      assert.deepEqual(disk(window, 'x', 'y', 'z'), Object.values(TREE));
      assert.deepEqual([count, plans], [2 * at, ALL.paths.length + 1 - at]);
    });
  }

  it('in opposite orders do not wait for each other', async () => {
    const window = openWindow({ x: 'a a\n', y: 'a a\n' });
    window.consent.always = ['edit'];
    const orders = [{ paths: ['x', 'y'] }, { paths: ['y', 'x'] }];
    await Promise.all(orders.map((order) => window.run(editAll, order)));
    assert.deepEqual(disk(window, 'x', 'y'), ['b b\n', 'b b\n']);
  });
});
