import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { openAgain } from '../../../../src/services/language/goneFiles.ts';
import type { FakeDocument } from '../../../fakes/text.ts';
import { until } from '../../../until.ts';
import { cleanUp, openWindow, type Window } from '../../features/window.ts';

describe('services/language/goneFiles', () => {
  let window: Window;
  let document: FakeDocument;
  beforeEach(() => {
    window = openWindow({ 'src/a.ts': 'a', 'src/b.ts': 'b' });
    window.fake.extensions.brings({ languages: [{ id: 'typescript', extensions: ['.ts'] }] });
    window.fake.extensions.installs('typescript');
    document = window.fake.person.loads(window.path('src/a.ts'));
    assert.equal(document.languageId, 'typescript');
  });
  afterEach(cleanUp);

  const becomes = (languageId: string) => until(() => document.languageId === languageId, languageId);

  it('are closed for their servers, and opened once they are back; folders too', async () => {
    const { person } = window.fake;
    rmSync(window.path('src/a.ts'));
    person.deletesFile(window.path('src/a.ts'));
    await becomes('plaintext');
    writeFileSync(window.path('src/a.ts'), 'a');
    person.createsFile(window.path('src/a.ts'));
    await becomes('typescript');
    renameSync(window.path('src'), window.path('other'));
    person.deletesFile(window.path('src'));
    await becomes('plaintext');
    renameSync(window.path('other'), window.path('src'));
    await openAgain(window.fake.api, document as never);
    assert.equal(document.languageId, 'typescript', 'before VS Code has noticed that they are back');
  });

  it('stay as they are where the user sees them, or has unsaved text', async () => {
    const { person } = window.fake;
    const other = person.loads(window.path('src/b.ts'));
    person.opensTab(window.path('src/a.ts'));
    person.types(other, 'unsaved');
    for (const file of ['src/a.ts', 'src/b.ts']) {
      rmSync(window.path(file));
      person.deletesFile(window.path(file));
    }
    const third = person.loads(window.path('src/c.ts'), 'c');
    person.deletesFile(window.path('src/c.ts'));
    await until(() => third.languageId === 'plaintext', 'the third');
    assert.deepEqual([document.languageId, other.languageId], ['typescript', 'typescript']);
  });
});
