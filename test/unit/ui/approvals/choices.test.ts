import assert from 'node:assert/strict';
import '../../../fakes/l10n.ts';

const { choicesFor, factsOf, titleOf } = await import('../../../../src/ui/approvals/choices.ts');
const { deedOf } = await import('../../../../src/ui/approvals/kinds.ts');

const question = {
  kind: 'edit' as const,
  tool: 'edit_file',
  subject: 'src/a.ts',
  id: 1,
  agent: 'Claude Code',
  waiting: () => 0,
  askedAt: 0,
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

  it('count the other files', () =>
    assert.equal(deedOf({ ...question, diffs: [diff, diff, diff] }), 'Edit “src/a.ts” and 2 more files'));

  it('show what would run, with its arguments', () =>
    assert.deepEqual(factsOf({ ...question, commandLine: 'npm test\n', arguments: { all: true } }), [
      'npm test\\u{a}',
      '{"all":true}',
    ]));

  it('keep the name of a file in a long path', () =>
    assert.match(
      deedOf({ ...question, subject: `${'folder/'.repeat(50)}a.ts` }, 40),
      /^Edit “folder.{5,60}\/a\.ts”$/,
    ));

  it('offer all answers, and the diff where there is one', () => {
    assert.deepEqual(offered({}), ['once', 'session', 'workspace', 'deny']);
    assert.deepEqual(offered({ diffs: [diff] }), ['once', 'session', 'workspace', 'deny', 'diff']);
  });

  it('offer no lasting answer for what is asked each time, and say why', () => {
    assert.deepEqual(offered({ diffs: [diff], everyTime: true }), ['once', 'deny', 'diff']);
    assert.match(factsOf({ ...question, everyTime: true }).join(), /^asked each time: /);
    assert.deepEqual(factsOf(question), []);
  });
});
