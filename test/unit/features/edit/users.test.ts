import assert from 'node:assert/strict';
import { UserError } from '../../../../src/core/messages.ts';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import type { CheckState } from '../../../../src/services/language/diagnostics.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { allowing, answer, documentOf, problem } from '../editing.ts';
import { placesOf, withServer } from '../symbols/server.ts';
import { cleanUp } from '../window.ts';

describe('features/edit/users', () => {
  afterEach(cleanUp);
  const clock = holdClock();

  const LATE = /No report on the current text of b\.ts yet: .*Ask again\.$/;
  const edits = [{ oldText: '1', newText: '2' }];
  const usedIn = (...names: string[]) => {
    const users = names.map((name) => [name, `const ${name.slice(0, -3)} = only;\n`]);
    const window = withServer({ 'a.ts': 'const only = 1;\n', ...Object.fromEntries(users) });
    window.fake.answers.set('vscode.executeReferenceProvider', () =>
      placesOf(window, 'only', 'a.ts', ...names),
    );
    window.fake.person.sets('workspaceMcp.approvals', { edit: 'allow' });
    return window;
  };
  /** What is told of `b.ts`, by what is known of it before the edit and after. */
  const told = async (before: CheckState, after: CheckState, args = {}) => {
    const window = usedIn('b.ts');
    window.ctx.language.of = async ({ path }) => {
      const isEdited = documentOf(window, 'a.ts').getText().includes('2');
      const diagnostics = isEdited && path === 'b.ts' && after === 'checked' ? [problem('broken')] : [];
      return { diagnostics, state: path !== 'b.ts' ? 'checked' : isEdited ? after : before };
    };
    return answer(window, editFile, { path: 'a.ts', edits, ...args });
  };

  it('of which the problems before are not known are told with those of now, or as not checked', async () => {
    const unclear =
      /No problems\.\nProblems in files that use it, new or from before:\nb\.ts\n {2}1:1 error broken$/;
    for (const args of [{}, { keepIf: 'no_new_errors' }])
      assert.match(await told('pending', 'checked', args), unclear);
    assert.match(await told('pending', 'pending'), LATE);
    assert.match(await told('checked', 'pending'), LATE);
    assert.match(await told('checked', 'unchecked'), /No extension in VS Code is known to check b\.ts\.$/);
    assert.match(await told('checked', 'checked'), /New problems in files that use it:\nb\.ts/);
  });

  it('that were not all found say so', async () => {
    const PART =
      /No problems\.\nNot all files that use what changed were checked: call get_diagnostics {"path":"\."}\.$/;
    const checked = async () => ({ diagnostics: [], state: 'checked' as const });
    const many = usedIn(...Array.from({ length: 21 }, (_, index) => `b${index}.ts`));
    many.ctx.language.of = checked;
    assert.match(await answer(many, editFile, { path: 'a.ts', edits }), PART);
    for (const busy of [() => new Promise(() => {}), () => Promise.reject(new Error('busy'))]) {
      const window = usedIn();
      window.ctx.language.of = checked;
      window.fake.answers.set('vscode.executeReferenceProvider', busy);
      assert.match(await clock.settle(answer(window, editFile, { path: 'a.ts', edits }), 2_000), PART);
    }
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
