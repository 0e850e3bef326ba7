import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectedAgent } from '../../../../src/core/connectedAgent.ts';
import { EditStore } from '../../../../src/server/edits/editStore.ts';
import { ChangedFiles } from '../../../../src/ui/review/changedFiles.ts';
import { type Deed, Journal } from '../../../../src/workspace/edit/journal.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { silent } from '../../log.ts';
import { cleanUp, folderWith } from '../../workspace/openWindow.ts';

describe('server/edits/editStore', () => {
  afterEach(cleanUp);

  /** Windows that are open one after the other, with the same workspace storage. */
  function machine(settings: Record<string, unknown> = {}) {
    const [folder, storage] = [folderWith({ 'a.txt': 'new', 'b.txt': 'b' }), folderWith()];
    const path = join(storage, 'own', 'edits.json');
    const open = async () => {
      const { api, person } = FakeVscode.create({ folders: [folder] });
      for (const [key, value] of Object.entries(settings)) person.sets(key, value);
      const [journal, warnings] = [new Journal(), [] as string[]];
      const changed = new ChangedFiles(journal);
      const log = { ...silent, warn: (message: string) => warnings.push(message) };
      const store = new EditStore({ code: api, path, journal, changed, editorData: [], log });
      await store.restore();
      const at = (name: string) => ({ uri: api.Uri.file(join(folder, name)), path: name });
      const author: ConnectedAgent = { id: 1, agent: 'Agent', directory: '/where/it/works' };
      const record = (...deeds: Deed[]) => journal.add({ author, tool: 'edit_file', deeds });
      return {
        api,
        journal,
        changed,
        store,
        warnings,
        at,
        record,
        person,
        edits: (name: string, before: string, after: string) =>
          record({ type: 'edit', ...at(name), before, after }),
      };
    };
    const stored = () => readFileSync(path, 'utf8');
    return { path, open, stored, settings };
  }

  it('edits, what was kept of them, and whose they are, are the same after a reload', async () => {
    const { open, path, stored } = machine();
    const before = await open();
    const { at, journal, record, store } = before;
    store.authors.begin('key');
    const { id } = before.edits('a.txt', 'old', 'new');
    const files = [{ uri: at('c.bin').uri, bytes: Buffer.from([0, 255]), mode: 0o644 }];
    record({ type: 'create', ...at('c.bin'), files, folders: [at('d').uri] });
    record({ type: 'move', ...at('x.txt'), to: at('y.txt').uri, toPath: 'y.txt' });
    const [link, bytes] = [{ stamp: 'link' }, Buffer.from([0, 255])];
    record({ type: 'bytes', ...at('l'), before: bytes, after: link });
    const part = { author: { id: 1, agent: 'Agent' }, before: 'new', after: 'old' };
    journal.keep({ uri: at('a.txt').uri, edits: [id], part });
    await store.close();
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    const text = stored();
    assert.doesNotMatch(text, /where.it.works/);
    const after = await open();
    assert.deepEqual([after.journal.last, after.changed.list().length], [5, 3]);
    assert.ok(after.store.authors.knows('key'));
    await after.store.close();
    assert.equal(stored(), text);
  });

  it('nothing is stored when nothing is left to review or to take back', async () => {
    const { open, path } = machine();
    const { edits, changed, store, record, at, journal } = await open();
    edits('a.txt', 'old', 'new');
    const folder = record({ type: 'create', ...at('d'), files: [{ uri: at('d').uri }] });
    await store.close();
    assert.ok(existsSync(path));
    const after = await open();
    for (const file of changed.list()) after.changed.keep(file, file.steps);
    after.journal.remove(folder.id);
    await after.store.close();
    assert.ok(!existsSync(path));
    assert.equal(journal.edits.length, 2);
  });

  it('no text of a file that is closed to agents, or in which something is redacted', async () => {
    const { open, stored, settings } = machine({ 'workspaceMcp.access.redact': ['secret\\d'] });
    const { edits, record, at, store, journal } = await open();
    edits('a.txt', 'TEXT1', 'TEXT2');
    edits('b.txt', 'TEXT3', 'TEXT4 secret5');
    edits('.env', 'TEXT6', 'TEXT7');
    const files = [{ uri: at('e.txt').uri, bytes: Buffer.from('secret8') }];
    const { id } = record({ type: 'delete', ...at('e.txt'), files });
    record({ type: 'bytes', ...at('f.txt'), before: Buffer.from('secret8'), after: { stamp: '' } });
    const part = { author: { id: 1, agent: 'Agent' }, before: 'secret9', after: '' };
    journal.keep({ uri: at('a.txt').uri, edits: [1], part });
    await store.close();
    assert.match(stored(), /TEXT1.*TEXT2/);
    assert.doesNotMatch(stored(), /TEXT[3-7]|secret|c2VjcmV0/);
    const after = await open();
    const types = after.journal.edits.flatMap(({ deeds }) => deeds.map(({ type }) => type));
    assert.deepEqual(types, ['edit', 'unstored', 'unstored', 'delete', 'unstored']);
    const [deletion] = after.journal.edits[id - 1]?.deeds ?? [];
    assert.ok(deletion?.type === 'delete' && deletion.files === undefined);
    await after.store.close();
    // A rule that is made while the window is closed counts too.
    settings['workspaceMcp.access.deniedPaths'] = ['a.txt'];
    const denied = await open();
    assert.equal(denied.journal.edits[0]?.deeds[0]?.type, 'unstored');
    await denied.store.close();
    assert.doesNotMatch(stored(), /TEXT1/);
  });

  it('only the newest are stored: 200, and 5 MB of text', async () => {
    const { open } = machine();
    const first = await open();
    for (let count = 0; count < 210; count++) first.edits('a.txt', `${count}`, `${count + 1}`);
    await first.store.close();
    const second = await open();
    assert.deepEqual([second.journal.edits.length, second.journal.edits[0]?.id], [200, 11]);
    const long = 'x'.repeat(2 * 1024 * 1024);
    second.edits('b.txt', long, long);
    second.edits('a.txt', 'old', 'new');
    await second.store.close();
    const third = await open();
    assert.deepEqual(
      third.journal.edits.map(({ id }) => id),
      Array.from({ length: 200 }, (_, at) => at + 13),
    );
    third.edits('b.txt', long, `${long}y`);
    await third.store.close();
    const fourth = await open();
    const ids = fourth.journal.edits.map(({ id }) => id);
    assert.deepEqual(ids, [212, 213]);
    await fourth.store.close();
  });

  it('a file that cannot be read is no reason to fail', async () => {
    const { open, path } = machine();
    const first = await open();
    first.edits('a.txt', 'old', 'new');
    await first.store.close();
    writeFileSync(path, '{"version":1,"entr');
    const { journal, store, warnings } = await open();
    assert.deepEqual([journal.edits, warnings.length], [[], 1]);
    await store.close();
  });
});
