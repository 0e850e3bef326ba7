import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Guard } from '../../../../src/access/accessRules.ts';
import { fileChangesOf } from '../../../../src/access/consent/changes.ts';
import type { FileDiff, FileOperation, Intent, Question } from '../../../../src/access/consent/types.ts';
import {
  debugGrant,
  editorCommandGrant,
  type Grant,
  isGrant,
  runGrant,
  serverGrant,
} from '../../../../src/core/grants.ts';

const { buttonsOf } = await import('../../../../src/ui/approvals/choices.ts');
const { plannedText } = await import('../../../../src/ui/approvals/questionText.ts');
const { grantLabel } = await import('../../../../src/ui/approvals/grantText.ts');
const { questionTitle } = await import('../../../../src/ui/approvals/questionText.ts');
const { pageOf } = await import('../../../../src/ui/approvals/page.ts');

const question: Question = {
  kind: 'edit',
  tool: 'edit_file',
  subject: 'src/a.ts',
  agent: 'Claude Code',
  id: 1,
  askers: () => [{ agent: 'Codex' }],
  askedAt: 0,
  endsAt: 0,
  grants: ['edit'],
};
/** A question about these changes, a file each. */
const edit = (...changes: [before: string, after: string][]): Question => {
  const diffs = changes.map(([before, after], index) => {
    return { uri: `file${index}` as never, path: `src/${index}.ts`, before, after };
  });
  return { ...question, diffs, changes: fileChangesOf(diffs) };
};
/** A question with more about each file. */
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
    assert.equal(questionTitle(question), '“Claude Code” asks: Edit “src/a.ts” (edit_file)');
    const asked = { ...question, number: 2, directory: '/home/you/app' };
    assert.equal(pageOf(asked).from, '“Claude Code” #2 asks, in /home/you/app (edit_file)');
    assert.match(questionTitle(asked), /^“Claude Code” #2 asks: /);
    assert.equal(pageOf(question).from, '“Claude Code” asks (edit_file)');
    const linked = withDiffs(edit(['a', 'b']), { target: '.vscode/tasks.json' });
    assert.equal(plannedText(linked), 'Edit “src/a.ts” → “.vscode/tasks.json”');
    const long = { ...question, subject: `${'folder/'.repeat(50)}a.ts` };
    assert.match(plannedText(long, 40), /^Edit “folder.{5,60}\/a\.ts”$/);
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

  it('say what of an edit is not taken back, and why', () => {
    const left = ['what a.bin was before is not known as text.'];
    const intent: Intent = { type: 'undo', id: 3, tool: 'Bash: make', left };
    const { warnings } = pageOf({ ...edit(['a', 'b']), intent });
    assert.deepEqual(warnings, ['Not taken back: what a.bin was before is not known as text.']);
  });

  it('begin with what it is for, or count what happens to several files', () => {
    const [a, b] = [edit(['a', 'b']), edit(['a', 'b'], ['a', 'b'], ['a', 'b'])];
    const told = (intent: Intent, asked = a) => plannedText({ ...asked, intent });
    assert.deepEqual(
      [
        told({ type: 'rename', from: 'identity', to: 'pass' }, b),
        told({ type: 'replace', query: 'x' }),
        told({ type: 'action', kind: 'quickfix', title: 'Add import from "./a"' }, b),
        told({ type: 'action', kind: 'refactor.extract', title: 'Extract' }),
        told({ type: 'undo', id: 3, tool: 'edit_file' }, b),
        told({ type: 'save' }, b),
        told({ type: 'format' }),
        told({ type: 'type', typed: 'yes', key: 'enter' }),
        told({ type: 'type', typed: '', key: 'ctrl+c' }),
      ],
      [
        'Rename “identity” to “pass” in 3 files',
        'Replace “x” in “src/a.ts”',
        'Quick fix: Add import from "./a" (3 files)',
        'Refactor: Extract',
        'Take back edit 3 (edit_file): 3 files',
        'Save 3 files',
        'Format “src/a.ts”',
        'Type “yes” into “src/a.ts”',
        'Press ctrl+c in “src/a.ts”',
      ],
    );
    const of = (...types: (FileOperation['type'] | undefined)[]) =>
      withDiffs(b, ...types.map((type) => (type ? { operation: { type, to: 'src/to.ts' } } : {})));
    const patch = { type: 'patch' } as const;
    const said = told(patch, of('create', undefined, 'delete'));
    assert.equal(said, 'Apply patch: 1 edited, 1 created, 1 deleted');
    assert.equal(plannedText(of('move')), 'Move “src/0.ts” to “src/to.ts”, 2 edited');
    assert.equal(plannedText(of('move', 'copy')), 'Change 3 files: 1 edited, 1 moved, 1 copied');
  });

  it('say what is allowed already, and why they ask all the same', () => {
    const asked = { ...edit(['a', 'b']), allowed: ['edit' as const] };
    assert.equal(pageOf(asked).why, 'You have allowed: Change text. This is more than that.');
    assert.match(pageOf({ ...asked, grants: [] }).why, /This is asked about each time\.$/);
    assert.equal(pageOf(question).why, '');
    const grant = runGrant({ words: ['npm', 'test'], cwd: '/ws', scripts: '{}' });
    const changes = fileChangesOf([{ before: 'a', after: 'b' }]);
    const { why, files } = pageOf({ ...question, kind: 'run', grant, grants: [grant], changes });
    assert.match(why, /^You have allowed this command, but the scripts of package\.json have changed/);
    const shown = files.map(({ name, language }) => [name, language]);
    assert.deepEqual(shown, [['package.json', 'json']]);
  });

  it('say what the answers that last cover, in a sentence for each of them', () => {
    const command = { words: ['npm', 'run', 'a b'], cwd: '/ws' };
    const server = { key: 'k', name: 'db' };
    const session = { id: 'x', name: 'Main' };
    const grants: [Grant | undefined, string][] = [
      ['edit', 'Change text; create, move and copy files'],
      ['delete', 'Delete files and folders'],
      ['test', 'Run any tests, with what their files say then'],
      ['breakpoints', 'Set breakpoints at lines, without condition and message'],
      [runGrant(command), "Run “npm run 'a b'” in “/ws”"],
      [runGrant({ ...command, scripts: '{}' }), "Run “npm run 'a b'” (scripts unchanged) in “/ws”"],
      [serverGrant({ ...server, tool: 'query' }), 'Call “query” of “db”, with any arguments'],
      [serverGrant(server), 'Call all tools of “db”'],
      [editorCommandGrant({ id: 'a.b', arguments: [] }), 'Run VS Code command “a.b” without arguments'],
      [
        editorCommandGrant({ id: 'a.b', arguments: [{ all: true }] }),
        'Run VS Code command “a.b” with these arguments: “[{"all":true}]”',
      ],
      [
        debugGrant({ what: 'control', ...session }),
        'Step, continue, run to lines, pause and end this debug session: “Main”',
      ],
      [
        debugGrant({ what: 'evaluate', ...session }),
        'Evaluate any expression, and set variables, in this debug session: “Main”',
      ],
    ];
    for (const [grant, label] of grants) {
      assert.ok(grant && isGrant(grant));
      assert.equal(grantLabel(grant), label);
      const { covers } = pageOf({ ...question, grants: [grant] });
      assert.match(covers, /^“Allow for (?:Session” and “Always Allow” cover|This Debug Session” covers): /);
      assert.equal(covers.includes('Always'), !grant.startsWith('debug:'));
      assert.ok(covers.endsWith(label));
    }
    assert.equal(pageOf({ ...question, grants: [] }).covers, '');
    assert.equal(editorCommandGrant({ id: 'a.b', arguments: ['x'.repeat(2_000)] }), undefined);
    const ofEarlierVersion = ['run', 'task', 'debug', 'command', 'server', 'command:a.b'];
    assert.deepEqual(ofEarlierVersion.filter(isGrant), []);
  });

  it('say how many files and lines change, and how many only in white space', () => {
    const told = (...changes: Parameters<typeof edit>) => {
      const { heading, facts, files } = pageOf(edit(...changes));
      return [heading, facts, ...files.map(({ name, counts }) => `${name} ${counts}`)].join(' | ');
    };
    const shown = told(['a\n  b\n', 'A\nb\n']);
    assert.equal(shown, 'Edit “src/a.ts” | lines: +2 −2 · 2 of them only white space | “src/0.ts” ');
    assert.equal(
      told(['a', 'b'], ['', 'x\n\n']),
      'Change 2 files | 2 files · lines: +3 −1 | “src/0.ts” lines: +1 −1 | “src/1.ts” lines: +2 −0',
    );
  });

  it('count the changed lines that a page has no room for, file by file', () => {
    const long = `${'x'.repeat(2_000)}\n`.repeat(160);
    const { files, warnings } = pageOf(edit(['', 'a\n'], ['', long], ['', long]));
    const cuts = files.map(({ cut }) => cut);
    assert.deepEqual(cuts, [undefined, 11, 160]);
    assert.match(files[2]?.cutText ?? '', /not shown here: 160\. "Open Diff" shows them/);
    assert.match(warnings.join(), /too long to show here/);
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
    const run = {
      ...question,
      commandLine: 'npm test\n\techo $(id)\u202e\u00a0',
      arguments: { all: [true], text: 'two\nlines\u202e' },
    };
    assert.deepEqual(pageOf(run).detail, ['npm test\n\techo $(id)\\u{202e}\\u{a0}']);
    assert.deepEqual(pageOf(run).given, [
      { name: 'all', value: '[\n  true\n]' },
      { name: 'text', value: 'two\nlines\\u{202e}' },
    ]);
    const command = { ...question, kind: 'command' as const, subject: 'Shop: Order' };
    assert.equal(pageOf(command).heading, 'Run VS Code command “Shop: Order”');
    const { why } = pageOf({ ...command, allowed: ['command:["shop.order"]'] });
    assert.match(why, /Run VS Code command “shop\.order”/);
    const server = { key: 'k', name: 'db', tool: 'query', description: 'Runs\n“SQL”.' };
    const { said } = pageOf({ ...question, kind: 'server', server });
    assert.equal(said, 'The server says of it: “Runs "SQL".”');
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const { given, warnings } = pageOf({ ...question, arguments: { deep } });
    assert.match(given[0]?.value ?? '', /^\[\n/);
    assert.deepEqual(warnings, ['It is too long to show here in full.']);
  });
});

describe('ui/approvals/page: the buttons of a question', () => {
  const off = (asked: Question) => buttonsOf(asked).flatMap(({ choice, isOff }) => (isOff ? choice : []));

  it('are the same in the same places, whatever is asked', () => {
    const main = (asked: Question) => buttonsOf(asked).filter(({ isMain }) => isMain);
    assert.deepEqual(main(question), main({ ...edit(['a', 'b']), grants: [] }));
    assert.deepEqual(off(question), ['diff']);
    const guarded = off({ ...edit(['a', 'b']), grants: [] });
    assert.deepEqual(guarded, ['session', 'file', 'folder', 'workspace']);
    const places = { file: 'src/a.ts', folder: 'src/' };
    assert.deepEqual(off({ ...edit(['a', 'b']), places }), []);
    const ofSession = debugGrant({ what: 'control', id: 'x', name: 'Main' });
    assert.deepEqual(off({ ...question, kind: 'debug', grants: [ofSession] }), ['workspace', 'diff']);
  });

  it('about an own tool of an agent offer nothing that lasts, and say who asks then, and what does not fit', () => {
    const own: Question = { ...withDiffs(edit(['a', 'b']), { isUnfit: true }), isOwn: true };
    const choices = buttonsOf(own).map(({ choice }) => choice);
    assert.deepEqual(choices, ['once', 'deny', 'denyReason', 'diff']);
    assert.match(pageOf(own).ends, /^If you close this tab, .* the agent asks you itself\.$/);
    assert.match(pageOf(own).warnings.join(), /^Only the text of the proposal/);
  });

  it('show the key bindings that package.json has', () => {
    const shown = buttonsOf(question).flatMap(({ keys }) => (keys ? `ctrl+k ${keys.toLowerCase()}` : []));
    const { keybindings } = manifest.contributes;
    const ofQuestion = keybindings.filter(({ when }: { when: string }) => when.includes('isAsking'));
    assert.deepEqual(shown.sort(), ofQuestion.map(({ key }: { key: string }) => key).sort());
    for (const { key, mac } of keybindings) assert.equal(mac, key.replace('ctrl', 'cmd'));
  });
});
