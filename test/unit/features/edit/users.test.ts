import assert from 'node:assert/strict';
import { UserError } from '../../../../src/core/messages.ts';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { allowing, answer } from '../editing.ts';
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

  it('a file that cannot be loaded is told as not checked after an edit, not as clean', async () => {
    const window = allowing({ 'a.txt': '1' });
    window.ctx.language.of = async () => {
      throw new UserError('It is binary.');
    };
    assert.match(
      await answer(window, editFile, { path: 'a.txt', edits: [{ oldText: '1', newText: '2' }] }),
      /saved\.\nNo extension in VS Code is known to check a\.txt\.$/,
    );
  });
});
