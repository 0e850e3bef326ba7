import assert from 'node:assert/strict';
import '../../../fakes/l10n.ts';

const { choicesFor, titleOf, whyEveryTime } = await import('../../../../src/ui/approvals/choices.ts');
const { deedOf } = await import('../../../../src/ui/approvals/kinds.ts');

const question = {
  kind: 'edit' as const,
  tool: 'edit_file',
  subject: 'src/a.ts',
  id: 1,
  agent: 'Claude Code',
  waiting: () => 0,
  endsAt: 0,
};
const diff = { uri: undefined as never, before: '', after: '' };
const offered = (more: object) => choicesFor({ ...question, ...more }).map(({ choice }) => choice);

describe('ui/approvals: the words of a question', () => {
  it('name who asks for what', () =>
    assert.equal(titleOf(question), '“Claude Code” asks: Edit “src/a.ts” (edit_file)'));

  it('name what a link leads to', () =>
    assert.equal(
      deedOf({ ...question, target: '.vscode/tasks.json' }),
      'Edit “src/a.ts” → “.vscode/tasks.json”',
    ));

  it('keep the name of a file in a long path', () =>
    assert.match(
      deedOf({ ...question, subject: `${'folder/'.repeat(50)}a.ts` }, 40),
      /^Edit “folder.{5,60}\/a\.ts”$/,
    ));

  it('offer all answers, and the diff where there is one', () => {
    assert.deepEqual(offered({}), ['once', 'session', 'workspace', 'deny']);
    assert.deepEqual(offered({ diff }), ['once', 'session', 'workspace', 'deny', 'diff']);
  });

  it('offer no lasting answer for what is asked each time, and say why', () => {
    assert.deepEqual(offered({ diff, everyTime: true }), ['once', 'deny', 'diff']);
    assert.match(whyEveryTime({ ...question, everyTime: true }) ?? '', /^asked each time: /);
    assert.equal(whyEveryTime(question), undefined);
  });
});
