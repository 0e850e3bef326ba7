import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CommentStore } from '../../../../src/ui/comments/commentStore.ts';
import { Comments } from '../../../../src/workspace/comments/comments.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { silent } from '../../log.ts';
import { cleanUp, folderWith, write } from '../../workspace/openWindow.ts';

describe('ui/comments/commentStore: comments after a reload', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  /** Windows that are open one after the other, with the same storage. */
  function machine() {
    const path = join(folderWith(), 'own', 'comments.json');
    const { api } = FakeVscode.create({ folders: ['/w'] });
    const open = async () => {
      const [comments, warnings] = [new Comments(api), [] as string[]];
      const log = { ...silent, warn: (message: string) => warnings.push(message) };
      const store = new CommentStore(comments, path, log);
      await store.restore();
      const add = (text: string, agent?: string) =>
        comments.add({ uri: api.Uri.file('/w/a.ts'), lines: [1, 2], text, agent }, 'a\nb\nc');
      return { comments, store, warnings, add };
    };
    return { path, open };
  }

  it('are stored soon, and at the end, for the user only', async () => {
    const { path, open } = machine();
    const { store, add, comments } = await open();
    add('为什么？');
    await clock.pass(499);
    assert.ok(!existsSync(path));
    await clock.pass(1);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    comments.reply(1, { agent: 'Codex', text: 'because' });
    store.close();
    const after = await open();
    assert.deepEqual(after.comments.stored(), JSON.parse(JSON.stringify(comments.stored())));
    assert.equal(after.comments.threads[0]?.comments.length, 2);
    assert.doesNotMatch(readFileSync(path, 'utf8'), /"a\\nb/); // no text of the file
    const before = readFileSync(path);
    after.store.close();
    assert.deepEqual([readFileSync(path), after.warnings], [before, []]);
  });

  it('leave no file when there are none', async () => {
    const { path, open } = machine();
    const { store, add, comments } = await open();
    add('why?');
    await clock.pass(500);
    comments.remove([1]);
    store.close();
    assert.ok(!existsSync(path));
  });

  const thread = { id: 1, uri: 'file:///w/a.ts', lines: [1, 2], isGone: false, isResolved: false };
  const right = { version: 1, threads: [{ ...thread, comments: [{ text: 'why?', at: 1 }] }], sketches: {} };
  const broken: Record<string, string> = {
    'no JSON': '{',
    null: 'null',
    'another version': JSON.stringify({ ...right, version: 2 }),
    'no comments': JSON.stringify({ ...right, threads: [{ ...thread, comments: [] }] }),
    'no lines': JSON.stringify({ ...right, threads: [{ ...right.threads[0], lines: [0, 1] }] }),
    'no URI': JSON.stringify({ ...right, threads: [{ ...right.threads[0], uri: '' }] }),
    'no sketch': JSON.stringify({ ...right, sketches: { 'file:///w/a.ts': null } }),
  };
  for (const [what, text] of Object.entries(broken))
    it(`are set aside if the file cannot be read: ${what}`, async () => {
      const { path, open } = machine();
      write(path, text);
      const { comments, store, warnings, add } = await open();
      assert.deepEqual(comments.threads, []);
      assert.match(`${warnings}`, /comments\.json\.unread could not be read/);
      add('new');
      store.close();
      assert.equal(readFileSync(`${path}.unread`, 'utf8'), text);
      assert.equal((await open()).comments.threads.length, 1);
    });

  it('are read as they were written', async () => {
    const { path, open } = machine();
    write(path, JSON.stringify(right));
    assert.equal((await open()).comments.get(1)?.uri.path, '/w/a.ts');
  });

  it('are only written when they can be', async () => {
    const { path, open } = machine();
    const { store, add, warnings } = await open();
    write(join(path, '..'), 'a file');
    add('why?');
    store.close();
    assert.match(`${warnings}`, /could not be stored/);
  });
});
