import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { changesOf } from '../../../../src/access/consent/changes.ts';
import type { FileDiff, Question } from '../../../../src/access/consent/types.ts';
import type { Guard } from '../../../../src/access/refusals.ts';
import '../../../fakes/module/register.ts';

const { buttonsOf } = await import('../../../../src/ui/approvals/choices.ts');
const { deedOf, titleOf } = await import('../../../../src/ui/approvals/kinds.ts');
const { pageOf } = await import('../../../../src/ui/approvals/page.ts');

const question: Question = {
  ...{ kind: 'edit', tool: 'edit_file', subject: 'src/a.ts', agent: 'Claude Code' },
  ...{ id: 1, waiting: () => 0, askedAt: 0, endsAt: 0 },
};
/** A question about these changes, a file each. */
const edit = (...changes: [before: string, after: string][]): Question => {
  const diffs = changes.map(([before, after], index) => {
    return { uri: `file${index}` as never, path: `src/${index}.ts`, before, after };
  });
  return { ...question, diffs, changes: changesOf(diffs) };
};
/** The same with more about each file. */
const withDiffs = (asked: Question, ...more: Partial<FileDiff>[]): Question => ({
  ...asked,
  diffs: (asked.diffs ?? []).map((diff, index) => ({ ...diff, ...more[index] })),
});
const GUARDS: [Guard, Guard] = [
  { guarded: { by: 'table', reason: 'Git hooks and configuration' } },
  { guarded: { by: 'guardedPaths', glob: 'infra/**' }, name: '/ws/infra/a' },
];
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

describe('ui/approvals/page: the words of a question', () => {
  it('name who asks for what, tell agents of one name apart, name what a link leads to, and keep the name of a long path', () => {
    assert.equal(titleOf(question), '“Claude Code” asks: Edit “src/a.ts” (edit_file)');
    const asked = { ...question, number: 2, directory: '/home/you/app' };
    assert.equal(pageOf(asked).from, '“Claude Code” #2 asks, in /home/you/app (edit_file)');
    assert.match(titleOf(asked), /^“Claude Code” #2 asks: /);
    assert.equal(pageOf(question).from, '“Claude Code” asks (edit_file)');
    const linked = withDiffs(edit(['a', 'b']), { target: '.vscode/tasks.json' });
    assert.equal(deedOf(linked), 'Edit “src/a.ts” → “.vscode/tasks.json”');
    const long = { ...question, subject: `${'folder/'.repeat(50)}a.ts` };
    assert.match(deedOf(long, 40), /^Edit “folder.{5,60}\/a\.ts”$/);
  });

  it('say of each of several files what it leads to, why it is asked for, and what is to be seen in it', () => {
    const several = edit(['a', 'b'], ['', '\u2028\n'], ['a', 'b']);
    const more = [{}, { target: 'src/b.ts', guard: GUARDS[0] }, { isMixed: true }];
    const { files, warnings } = pageOf(withDiffs(several, ...more));
    const names = files.map(({ name }) => name);
    assert.deepEqual(names, ['“src/0.ts”', '“src/1.ts” → “src/b.ts”', '“src/2.ts”']);
    assert.deepEqual(warnings, [
      '“src/1.ts” → “src/b.ts”: You are asked each time: Git hooks and configuration.',
      '“src/1.ts” → “src/b.ts”: Invisible characters, shown as red codes. Lines: 1',
      '“src/2.ts”: It has mixed line ends: saving makes them all the same.',
    ]);
  });

  it('say how many files and lines change, and how many only in white space', () => {
    const told = (...changes: Parameters<typeof edit>) => {
      const { heading, facts, files } = pageOf(edit(...changes));
      return [heading, facts, ...files.map(({ name, counts }) => `${name} ${counts}`)].join(' | ');
    };
    assert.equal(
      told(['a\n  b\n', 'A\nb\n']),
      'Edit “src/a.ts” | lines: +2 −2 · 2 of them only white space | “src/0.ts” ',
    );
    assert.equal(
      told(['a', 'b'], ['', 'x\ny\n']),
      'Edit “src/a.ts” and one more file | 2 files · lines: +3 −1 | “src/0.ts” lines: +1 −1 | “src/1.ts” lines: +2 −0',
    );
  });

  it('point out what could be overlooked', () => {
    const asked = withDiffs(edit(['', `a\n\u2028\n${'x'.repeat(400)}\n`]), { guard: GUARDS[1] });
    const { warnings } = pageOf({ ...asked, again: true });
    assert.deepEqual(
      warnings.map((warning) => warning.replace(/^(.{20})[^:]*(?=\. Lines)\./, '$1')),
      [
        'The file has changed since you were asked.',
        'You are asked each time because of “infra/**” in guardedPaths. It is the same file as “/ws/infra/a”.',
        'Invisible characters Lines: 2',
        'Long lines, or text  Lines: 3',
      ],
    );
    assert.deepEqual(pageOf(edit(['a', 'b'])).warnings, []);
  });

  it('show what would run, with its arguments, or say that those are nested too deep', () => {
    const run = { ...question, commandLine: 'npm test\n', arguments: { all: true } };
    assert.deepEqual(pageOf(run).detail, ['npm test\\u{a}', '{"all":true}']);
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const { detail, warnings } = pageOf({ ...question, arguments: { deep } });
    assert.match(detail[0] ?? '', /^\{"deep":\[+"…"/);
    assert.deepEqual(warnings, ['It is too long to show here in full.']);
  });
});

describe('ui/approvals/page: the buttons of a question', () => {
  const places = (asked: Question) => buttonsOf(asked).map(({ choice }) => choice);
  const off = (asked: Question) => buttonsOf(asked).flatMap(({ choice, isOff }) => (isOff ? choice : []));

  it('are the same in the same places, whatever is asked', () => {
    assert.deepEqual(places(question), places({ ...edit(['a', 'b']), everyTime: true }));
    assert.deepEqual(off(question), ['diff']);
    assert.deepEqual(off({ ...edit(['a', 'b']), everyTime: true }), ['session', 'workspace']);
  });

  it('show the key bindings that package.json has', () => {
    const shown = buttonsOf(question).flatMap(({ keys }) => (keys ? `ctrl+k ${keys.toLowerCase()}` : []));
    const { keybindings } = manifest.contributes;
    const ofQuestion = keybindings.filter(({ when }: { when: string }) => when.includes('isAsking'));
    assert.deepEqual(shown.sort(), ofQuestion.map(({ key }: { key: string }) => key).sort());
    for (const { key, mac } of keybindings) assert.equal(mac, key.replace('ctrl', 'cmd'));
  });
});
