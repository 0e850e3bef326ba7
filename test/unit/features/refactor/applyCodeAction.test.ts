import assert from 'node:assert/strict';
import { applyCodeAction } from '../../../../src/features/refactor/applyCodeAction.ts';
import { WorkspaceEdit } from '../../../fakes/edits.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { answer, disk, ONCE, refused } from '../editing.ts';
import { withServer } from '../symbols/server.ts';
import { cleanUp, type Window } from '../window.ts';

const FIX = { title: 'Fix a', kind: { value: 'quickfix' }, edits: true };
const EXTRACT = { title: 'Extract', kind: { value: 'refactor.extract' } };

/** A window whose server offers these; those that edit replace the first letter, once they are resolved. */
function open(
  ...offered: { title: string; edits?: boolean; isPreferred?: boolean; command?: object }[]
): Window {
  const window = withServer({ 'a.ts': 'a = 1;\n  b;\n', '.env': 'x' });
  const { fake } = window;
  fake.person.opensTab(window.path('a.ts'));
  const wrong = new FakeDiagnostic(new Range(1, 2, 1, 3), 'Cannot find b.');
  fake.person.reports(window.path('a.ts'), [wrong as never]);
  window.ctx.language.ofShown = async () => ({ diagnostics: [wrong as never], state: 'checked' });
  window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
  fake.answers.set('vscode.executeCodeActionProvider', (_uri, _range, _kind, resolves) =>
    offered.map(({ edits, ...one }) => {
      const edit = new WorkspaceEdit();
      edit.replace(fake.api.Uri.file(window.path('a.ts')), new Range(0, 0, 0, 1), 'c');
      return { ...one, ...(edits && resolves ? { edit } : {}) };
    }),
  );
  window.consent.always = ['edit'];
  return window;
}

const apply = (window: Window, more: object) => answer(window, applyCodeAction, { path: 'a.ts', ...more });

/** The range of the last request for actions. */
const rangeOf = (window: Window): Range =>
  window.fake.commandsRun.findLast(({ command }) => command === 'vscode.executeCodeActionProvider')
    ?.args[1] as Range;

describe('features/refactor/applyCodeAction', () => {
  afterEach(cleanUp);

  it('are listed by kind, for a line or a problem', async () => {
    const window = open(FIX, EXTRACT);
    const text = await apply(window, { line: 2, list: true });
    assert.equal(text, 'a.ts:2\n  quickfix: Fix a\n  refactor.extract: Extract');
    const { start, end } = rangeOf(window);
    assert.deepEqual([start.line, start.character, end.line, end.character], [1, 0, 1, 4]);
    const find = (problem: string) => apply(window, { problem, list: true });
    await find('find b');
    assert.deepEqual([rangeOf(window).start.line, rangeOf(window).end.character], [1, 3]);
    await refused(find('xyz'), /no problem that contains "xyz"/);
    const none = await apply(open(), { line: 1, list: true });
    assert.match(none, /^No code actions at a\.ts:1\. There are none, or no extension/);
  });

  it('are applied by a part of the title, shown as a diff with dryRun, and listed if several or none fit', async () => {
    const window = open(FIX, EXTRACT);
    const diff = await apply(window, { line: 1, title: 'Fix', dryRun: true });
    assert.match(diff, /-a = 1;\n\+c = 1;/);
    assert.equal(disk(window, 'a.ts')[0], 'a');
    const text = await apply(window, { line: 1, title: 'Fix' });
    assert.equal(text, 'Applied "Fix a".\na.ts: 1 replacement, version 2, saved.\nNo problems.');
    assert.equal(disk(window, 'a.ts'), 'c = 1;\n  b;\n');
    await refused(apply(window, { line: 1 }), /2 code actions fit\..*\n {2}quickfix: Fix a\n {2}refactor/);
    await refused(apply(window, { line: 1, title: 'zz' }), /No code action contains "zz"/);
    await refused(apply(window, { line: 1, title: 'Extract' }), /"Extract" changes nothing/);
  });

  it('of a problem are its quick fixes: the preferred one is applied', async () => {
    const other = { ...FIX, title: 'Fix otherwise' };
    const both = open({ ...FIX, isPreferred: true }, other, EXTRACT);
    assert.match(await apply(both, { problem: 'find b' }), /^Applied "Fix a"\./);
    assert.match(await apply(open(FIX, EXTRACT), { problem: 'find b' }), /^Applied "Fix a"\./);
    const none = apply(open(FIX, other, EXTRACT), { problem: 'find b' });
    await refused(
      none,
      /2 code actions fit\. Pass the title of one:\n {2}quickfix: Fix a\n {2}quickfix: Fix otherwise$/,
    );
    await refused(apply(both, { problem: 'find b', title: 'Extract' }), /"Extract" changes nothing/);
  });

  it('run their command too, which the user approves with the edits, but not what TypeScript adds to each of its fixes', async () => {
    const command = { command: 'my.fix', title: '', arguments: [{ deep: 1 }] };
    const window = open({ ...FIX, command });
    window.consent.answers.push(ONCE);
    const text = await apply(window, { line: 1 });
    assert.match(text, /saved\.\nNo problems\.\nThe command my\.fix ran\.$/);
    const [question] = window.consent.questions;
    const asked = {
      kind: 'edit',
      also: 'command',
      commandLine: 'my.fix',
      arguments: { 0: { deep: 1 } },
      intent: { type: 'action', title: FIX.title },
    };
    assert.equal(window.consent.questions.length, 1);
    assert.partialDeepStrictEqual(question, asked);
    assert.ok(window.fake.commandsRun.some(({ command }) => command === 'my.fix'));
    const ofEach = { command: '_typescript.applyCodeActionCommand', title: '', arguments: [{ action: {} }] };
    const typescript = open({ ...FIX, command: ofEach });
    await apply(typescript, { line: 1 });
    assert.equal(typescript.consent.questions.length, 0);
  });
});
