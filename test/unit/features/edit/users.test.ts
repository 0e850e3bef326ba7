import assert from 'node:assert/strict';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { answer } from '../editing.ts';
import { placesOf, withServer } from '../symbols/server.ts';
import { cleanUp } from '../window.ts';

describe('features/edit/users', () => {
  afterEach(cleanUp);

  it('with keepIf, a file with uses and no report before is named, and its old errors take nothing back', async () => {
    const window = withServer({ 'a.ts': 'const only = 1;\n', 'b.ts': 'const two = only;\n' });
    window.fake.answers.set('vscode.executeReferenceProvider', () =>
      placesOf(window, 'only', 'a.ts', 'b.ts'),
    );
    window.fake.person.sets('workspaceMcp.approvals', { edit: 'allow' });
    window.ctx.language.of = async (document) => ({
      diagnostics: [],
      state: document.uri.path.endsWith('b.ts') ? 'pending' : 'checked',
    });
    const edits = [{ oldText: '1', newText: '2' }];
    const told = await answer(window, editFile, { path: 'a.ts', edits, keepIf: 'no_new_errors' });
    assert.match(
      told,
      /^a\.ts: .*saved\.\nNo problems\.\nNot checked, for want of a report before the edit: b\.ts\.$/,
    );
  });
});
