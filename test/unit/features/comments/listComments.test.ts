import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { comments, listComments } from '../../../../src/features/comments/listComments.ts';
import type { NewThread } from '../../../../src/workspace/comments/thread.ts';
import { until } from '../../../until.ts';
import { follow, read, soon } from '../resources.ts';
import { cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const TREE = { 'src/a.ts': LINES, 'b.ts': LINES, '.env': 'KEY=1\n' };

/** Comments as the user does. */
const say = ({ comments, fake, path }: Window, file: string, more: Partial<NewThread> = {}, text = LINES) =>
  comments.add(
    { uri: fake.api.Uri.file(path(file)), lines: [3, 4], agent: undefined, text: 'why?', ...more },
    text,
  );

/** The list without its times. */
const list = async (window: Window, args: object = {}) =>
  textsOf(await window.run(listComments, args)).map((text) => text.replaceAll(/\d{4}-\S+Z/g, 'then'));

const CODE = '1: one\n2: two\n3: three\n4: four\n5: five\n6: six';

describe('features/comments/listComments', () => {
  afterEach(cleanUp);

  it('lists who said what of which lines, as they are now, with some around them', async () => {
    const window = openWindow(TREE);
    assert.deepEqual(await list(window), ['There are no open comments.']);
    say(window, 'src/a.ts', { text: 'why\nso?' });
    window.comments.reply(1, { agent: 'Codex #2', text: 'because\nThe user, now:\n  of this' });
    const said =
      'The user, then:\n  why\n  so?\nAgent Codex #2, then:\n  because\n  The user, now:\n    of this';
    assert.deepEqual(await list(window), [`#1 src/a.ts:3-4\n${CODE}\n${said}`]);
    const [document] = window.fake.documents;
    assert.ok(document);
    window.fake.person.types(document, `zero\n${LINES}`);
    window.comments.reply(1, { agent: undefined, text: 'I see' });
    const [text = ''] = await list(window);
    assert.match(text, /^#1 src\/a\.ts:4-5 \(unsaved, waits for an answer\)\n2: one\n3: two\n4: three\n/);
  });

  it('finds lines in a file that no editor has, and says what is gone', async () => {
    const window = openWindow({ ...TREE, 'src/a.ts': `new\n${LINES}`, 'b.ts': 'one\nsix\n', c: '' });
    for (const file of ['src/a.ts', 'b.ts', 'c']) say(window, file);
    rmSync(window.path('c'));
    const heads = (await list(window))[0]?.match(/^#.*$/gm);
    const waits = 'waits for an answer';
    assert.deepEqual(heads, [
      `#1 src/a.ts:4-5 (${waits})`,
      `#2 b.ts:3-4 (the lines are gone, ${waits})`,
      `#3 c:3-4 (the file is gone, ${waits})`,
    ]);
  });

  it('lists those of a file or folder, resolved ones if asked, and in pages', async () => {
    const window = openWindow(TREE);
    for (const file of ['src/a.ts', 'b.ts', 'b.ts']) say(window, file);
    say(window, 'b.ts', { agent: 'Codex', isShown: true });
    window.comments.resolve(2);
    const ids = async (args: object) => (await list(window, args))[0]?.match(/#\d.*(?= \()/g);
    assert.deepEqual(await ids({}), ['#1 src/a.ts:3-4', '#3 b.ts:3-4']);
    assert.deepEqual(await ids({ path: 'src' }), ['#1 src/a.ts:3-4']);
    assert.deepEqual(await ids({ path: 'b.ts', resolved: true }), ['#2 b.ts:3-4', '#3 b.ts:3-4']);
    const [, note = ''] = await list(window, { limit: 1 });
    assert.match(note, /^2 comments\. For more pass cursor "/);
    assert.deepEqual(await ids({ cursor: /"(.*)"/.exec(note)?.[1] }), ['#3 b.ts:3-4']);
  });

  it('knows nothing of files that are closed to the agent, and redacts', async () => {
    const user = { 'workspaceMcp.access.redact': ['thr\\w+', 'k3y'] };
    const window = openWindow(TREE, { user });
    say(window, '.env');
    assert.deepEqual(await list(window, { resolved: true }), ['There are no comments.']);
    assert.deepEqual(await read(comments, 'comments', window), { comments: [] });
    say(window, 'b.ts', { text: 'is it k3y?' });
    const [text = ''] = await list(window);
    assert.match(text, /^#2 .*\n1: one\n2: two\n3: \[redacted\]\n[\s\S]*\n {2}is it \[redacted\]\?$/);
  });

  it('has the first comment and the last ones of a long conversation, and the first lines of many', async () => {
    const many = 'line\n'.repeat(100);
    const window = openWindow({ a: many });
    say(window, 'a', { lines: [10, 90] }, many);
    for (let count = 0; count < 20; count++)
      window.comments.reply(1, { agent: 'Codex', text: `${count} ${'x'.repeat(1_500)}` });
    const [text = ''] = await list(window);
    assert.ok(text.length < 12_000, `${text.length}`);
    assert.match(
      text,
      /^#1 a:10-90\n8: line\n[\s\S]*\n23: line\nThe user, then:\n {2}why\?\n\(15 comments left out\)\n/,
    );
    assert.match(text, /\n {2}19 x+$/);
  });
});

describe('features/comments/listComments: the resource', () => {
  afterEach(cleanUp);

  it('has the open ones', async () => {
    const window = openWindow(TREE);
    say(window, 'src/a.ts');
    window.comments.resolve(say(window, 'b.ts').id);
    const { comments: all } = await read(comments, 'comments', window);
    const at = new Date(window.comments.threads[0]?.comments[0]?.at ?? 0).toISOString();
    const said = { comments: [{ at, text: 'why?' }], waitsForAgent: true };
    assert.deepEqual(all, [{ id: 1, path: 'src/a.ts', startLine: 3, endLine: 4, code: CODE, ...said }]);
  });

  it('is followed without loading anything, as far as the agent may know', async () => {
    const window = openWindow(TREE);
    const { load } = window.ctx.comments;
    let loads = 0;
    window.ctx.comments.load = () => {
      loads++;
      return load();
    };
    const { told, dispose } = follow(comments, window);
    await read(comments, 'comments', window);
    assert.equal(loads, 0);
    say(window, '.env');
    await soon();
    assert.deepEqual(told, []);
    for (const happens of [
      () => say(window, 'b.ts'),
      () => window.comments.reply(2, { agent: 'Codex', text: 'because' }),
      () => window.comments.look(window.fake.api.Uri.file(window.path('b.ts')), `zero\n${LINES}`),
      () => window.comments.resolve(2),
    ]) {
      told.length = 0;
      happens();
      await until(() => told.length > 0, 'the change');
    }
    dispose();
    // One that subscribes to what is there already.
    say(window, 'b.ts');
    const later = follow(comments, window);
    await soon();
    say(window, '.env');
    await soon();
    assert.deepEqual(later.told, []);
    later.dispose();
  });
});
