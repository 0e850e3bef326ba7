import assert from 'node:assert/strict';
import { Approvals } from '../../../src/access/consent/approvals.ts';
import type { Grantee, Question } from '../../../src/access/consent/types.ts';
import { features } from '../../../src/features/index.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { FakeConsent } from '../../fakes/consent.ts';
import { WorkspaceEdit } from '../../fakes/edits.ts';
import { Range } from '../../fakes/text.ts';
import { READ_LINE } from '../../fakes/vscode.ts';
import { silent } from '../log.ts';
import { ipynb } from './notebooks.ts';
import { BUILD, withTasks } from './run/taskWindow.ts';
import { renames, withServer } from './symbols/server.ts';
import { CALL, cleanUp, type Window } from './window.ts';

const { grantLabel } = await import('../../../src/ui/approvals/grantText.ts');

const TREE = {
  'a.ts': 'class A {\n  run() {\n  }\n}\nconst only = 1;\n',
  'b.ts': 'const b = only;\n',
  'n.ipynb': ipynb('one', 'two'),
  'package.json': JSON.stringify({ scripts: { test: 'mocha' } }),
  '.vscode/settings.json': '{}',
};
const ONCE = { allow: 'once' } as const;
const PATCH = (...hunks: string[]) => ['*** Begin Patch', ...hunks, '*** End Patch', ''].join('\n');
const METHOD = { path: 'a.ts', symbol: 'A/run' };

/** A window that has everything that an agent can do something with. */
function openAll(): Window {
  const window = withServer(TREE);
  const { fake, ctx, path } = window;
  const { answers } = fake;
  const of = async () => ({ diagnostics: [], state: 'checked' as const });
  Object.assign(ctx.language, { of, ofShown: of });
  renames(window, 'only', 'a.ts', 'b.ts');
  answers.set('vscode.executeReferenceProvider', () => []);
  answers.set('vscode.executeFormatDocumentProvider', () => [{ range: new Range(1, 0, 1, 2), newText: '' }]);
  answers.set('vscode.executeCodeActionProvider', () => {
    const edit = new WorkspaceEdit();
    edit.replace(fake.api.Uri.file(path('a.ts')), new Range(0, 0, 0, 1), 'x');
    const command = { command: 'my.fix', title: '', arguments: [1] };
    const kind = { value: 'quickfix' };
    return [
      { title: 'Edits', kind, edit },
      { title: 'Runs', kind, command },
      { title: 'Does both', kind, edit, command },
    ];
  });
  for (const command of ['shop.order', 'shop.cancel']) answers.set(command, () => 'done');
  answers.set('vscode.testing.getTestsInFile', () => [['c', 'only']]);
  answers.set('vscode.testing.getControllersWithTests', () => ['c']);
  fake.extensions.brings({ debuggers: [{ type: 'fake', languages: ['typescript'] }] });
  fake.person.sets('launch.configurations', [
    { name: 'Main', type: 'fake', request: 'launch' },
    { name: 'Built', type: 'fake', request: 'launch', preLaunchTask: 'build' },
  ]);
  withTasks(window, BUILD, { ...BUILD, name: 'clean', execution: { commandLine: 'make clean' } });
  fake.debug.onBegin = (session) => {
    session.stopsIn(path('a.ts'), 2);
    for (const request of ['continue', 'next', 'stepIn', 'stepOut'])
      session.answers[request] = () => session.stopsIn(path('a.ts'), 3);
    session.answers.evaluate = () => ({ result: '1' });
    session.answers.threads = () => ({ threads: [{ id: 0, name: 'main' }] });
    session.answers.pause = () => session.stopsIn(path('a.ts'), 3);
  };
  return window;
}

const toolNamed = (name: string): Tool =>
  features.tools.find((tool) => tool.name === name) ?? assert.fail(`no tool ${name}`);

/** Something that an agent does: a tool, its arguments, and what has to be done before. */
interface Doing {
  tool: string;
  args: object;
  before?: readonly (readonly [tool: string, args: object])[];
  /** By another agent than what is done before. */
  isOther?: true;
  prepare?(window: Window): void;
}

const STARTED = [['debug_start', { name: 'Main' }]] as const;
const RUNNING = [['run_command', { command: READ_LINE, wait: 0.1 }]] as const;
const EDITED = [['edit_file', { path: 'a.ts', edits: [{ oldText: 'only', newText: 'one' }] }]] as const;
const CREATED = [['write_file', { path: 'new.txt', content: 'x' }]] as const;
const debugs = (more: object, name = 'Own') => ({ configuration: { type: 'fake', name, ...more } });
const control = (action: string, more: object = {}): Doing => ({
  tool: 'debug_control',
  args: { action, ...more },
  before: STARTED,
});

const EDITS: Record<string, Doing> = {
  'edit a file': { tool: 'edit_file', args: EDITED[0][1] },
  'patch a file': {
    tool: 'apply_patch',
    args: { patch: PATCH('*** Update File: a.ts', '@@', '-const only = 1;', '+const only = 2;') },
  },
  'make a file by a patch': { tool: 'apply_patch', args: { patch: PATCH('*** Add File: new.txt', '+x') } },
  'edit a notebook': {
    tool: 'edit_notebook',
    args: { path: 'n.ipynb', edits: [{ action: 'replace', cell: 1, source: 'x' }] },
  },
  'replace in files': {
    tool: 'replace_in_files',
    args: { query: 'only', replacement: 'one', include: ['*.ts'], dryRun: false },
  },
  'write a file': { tool: 'write_file', args: CREATED[0][1] },
  'overwrite a file': { tool: 'write_file', args: { path: 'b.ts', content: 'x', overwrite: true } },
  'move a file': { tool: 'move_path', args: { source: 'b.ts', destination: 'c.ts' } },
  'copy a file': { tool: 'move_path', args: { source: 'b.ts', destination: 'c.ts', copy: true } },
  'undo an edit': { tool: 'undo_edit', args: { id: 1 }, before: EDITED },
  'rename a symbol': { tool: 'rename_symbol', args: { symbol: 'only', path: 'a.ts', newName: 'one' } },
  'format a file': { tool: 'format_file', args: { path: 'a.ts' } },
  'apply a fix': { tool: 'apply_code_action', args: { path: 'a.ts', line: 1, title: 'Edits' } },
  ...Object.fromEntries(
    ['replace', 'insert_before', 'insert_after', 'delete'].map((action) => [
      `edit_symbol ${action}`,
      { tool: 'edit_symbol', args: { action, ...METHOD, ...(action !== 'delete' && { body: 'go() {\n}' }) } },
    ]),
  ),
  ...Object.fromEntries(
    ['insert_first', 'insert_last'].map((action) => [
      `edit_symbol ${action}`,
      { tool: 'edit_symbol', args: { action, path: 'a.ts', symbol: 'A', body: 'go() {\n}' } },
    ]),
  ),
};

const DELETES: Record<string, Doing> = {
  'delete a file': { tool: 'delete_path', args: { path: 'b.ts' } },
  'delete a file by a patch': { tool: 'apply_patch', args: { patch: PATCH('*** Delete File: b.ts') } },
  'undo the making of a file': { tool: 'undo_edit', args: { id: 1 }, before: CREATED },
};

const TESTS: Record<string, Doing> = {
  'run all tests': { tool: 'run_tests', args: {} },
  'run one test': { tool: 'run_tests', args: { paths: ['a.ts'], name: 'only' } },
  'run tests with coverage': { tool: 'run_tests', args: { coverage: true } },
};

const BREAKPOINTS: Record<string, Doing> = {
  'set a breakpoint': { tool: 'debug_breakpoints', args: { path: 'a.ts', line: 1 } },
  'set another breakpoint': { tool: 'debug_breakpoints', args: { path: 'b.ts', line: 1 } },
};

/** What nothing else covers; each of it has a sentence of its own, or none. */
const EACH: Record<string, Doing> = {
  'edit and delete by a patch': {
    tool: 'apply_patch',
    args: { patch: PATCH('*** Add File: new.txt', '+x', '*** Delete File: b.ts') },
  },
  'edit a guarded file': {
    tool: 'write_file',
    args: { path: '.vscode/settings.json', content: '{"a":1}', overwrite: true },
  },
  'delete a guarded file': { tool: 'delete_path', args: { path: '.vscode/settings.json' } },
  'save what the user typed': {
    tool: 'save_files',
    args: { paths: ['a.ts'] },
    prepare: ({ fake, path }) => void fake.person.types(fake.person.loads(path('a.ts')), 'mine'),
  },
  'run the command of a code action': {
    tool: 'apply_code_action',
    args: { path: 'a.ts', line: 1, title: 'Runs' },
  },
  'apply a fix with a command': {
    tool: 'apply_code_action',
    args: { path: 'a.ts', line: 1, title: 'Does both' },
  },
  'run plain words': { tool: 'run_command', args: { command: 'ls src' } },
  'run other plain words': { tool: 'run_command', args: { command: 'ls' } },
  'run plain words in the user’s shell': {
    tool: 'run_command',
    args: { command: 'ls src', userShell: true },
  },
  'run a script': { tool: 'run_command', args: { command: 'npm test' } },
  'run a line of a shell': { tool: 'run_command', args: { command: 'ls > x' } },
  'run a task': { tool: 'run_task', args: { task: 'build' } },
  'run another task': { tool: 'run_task', args: { task: 'clean' } },
  'run cells': { tool: 'run_cells', args: { path: 'n.ipynb', cells: [1] } },
  'run other cells': { tool: 'run_cells', args: { path: 'n.ipynb', cells: [2] } },
  'type into a run': { tool: 'send_to_run', args: { run: 1, text: 'x' }, before: RUNNING },
  'run tests that save': {
    ...TESTS['run all tests'],
    prepare: ({ fake, path }) => void fake.person.types(fake.person.loads(path('a.ts')), 'mine'),
  } as Doing,
  'debug a launch configuration': { tool: 'debug_start', args: { name: 'Main' } },
  'debug one with a task': { tool: 'debug_start', args: { name: 'Built' } },
  'debug a file': { tool: 'debug_start', args: { path: 'a.ts' } },
  'debug a test': { tool: 'debug_start', args: { path: 'a.ts', line: 5 } },
  'debug an own configuration': { tool: 'debug_start', args: debugs({ runtimeExecutable: '/bin/sh' }) },
  restart: control('restart'),
  'set a condition': { tool: 'debug_breakpoints', args: { path: 'a.ts', line: 1, condition: 'run()' } },
  'set a hit count': { tool: 'debug_breakpoints', args: { path: 'a.ts', line: 1, hitCount: '2' } },
  'set a log point': { tool: 'debug_breakpoints', args: { path: 'a.ts', line: 1, log: '{run()}' } },
  'set a function breakpoint': { tool: 'debug_breakpoints', args: { function: 'run' } },
  'stop at exceptions': { tool: 'debug_breakpoints', args: { exceptions: ['all'] } },
  evaluate: { tool: 'debug_evaluate', args: { expression: 'a' }, before: STARTED },
  'run a command of VS Code': { tool: 'execute_command', args: { command: 'shop.order' } },
  'run it with arguments': { tool: 'execute_command', args: { command: 'shop.order', arguments: [1] } },
  'run another command of VS Code': { tool: 'execute_command', args: { command: 'shop.cancel' } },
  ...Object.fromEntries(
    ['continue', 'over', 'into', 'out', 'pause', 'stop', 'to_line'].map((action) => [
      `${action} in the session of another agent`,
      { ...control(action, { line: 3 }), isOther: true as const },
    ]),
  ),
};

/** What needs no question: it goes on with what was approved, ends it, or only reads. */
const UNASKED: Record<string, Doing> = {
  ...Object.fromEntries(
    ['continue', 'over', 'into', 'out', 'stop', 'to_line'].map((action) => [
      `${action} in an own session`,
      control(action, { line: 3, wait: 0 }),
    ]),
  ),
  'pause in an own session': {
    ...control('pause', { wait: 0 }),
    prepare: ({ fake }) => void fake.debug.last.tells('continued', { threadId: 0 }),
  },
  'list breakpoints': { tool: 'debug_breakpoints', args: { action: 'list' } },
  'remove own breakpoints': {
    tool: 'debug_breakpoints',
    args: { action: 'remove' },
    before: [['debug_breakpoints', { path: 'a.ts', line: 1 }]],
  },
  'stop a run': { tool: 'stop_run', args: { run: 1 }, before: RUNNING },
  'list edits': { tool: 'undo_edit', args: { list: true }, before: EDITED },
  'list code actions': { tool: 'apply_code_action', args: { path: 'a.ts', line: 1, list: true } },
};

/** What each sentence on a question covers. A sentence that is not here covers one call alone. */
const COVERED: Record<string, readonly string[]> = {
  'Change text; create, move and copy files': Object.keys(EDITS),
  'Delete files and folders': Object.keys(DELETES),
  'Delete files and folders; Change text; create, move and copy files': [
    ...[...Object.keys(EDITS), ...Object.keys(DELETES), 'edit and delete by a patch'],
  ],
  'Run any tests, with what their files say then': Object.keys(TESTS),
  'Set breakpoints at lines, without condition and message': Object.keys(BREAKPOINTS),
};

const ALL = { ...EDITS, ...DELETES, ...TESTS, ...BREAKPOINTS, ...EACH };

/** The question of a call; undefined if it needs none. */
async function questionOf({
  tool,
  args,
  before = [],
  isOther,
  prepare,
}: Doing): Promise<Question | undefined> {
  const window = openAll();
  window.consent.otherwise = () => ONCE;
  for (const [name, given] of before) await window.run(toolNamed(name), given);
  prepare?.(window);
  const { questions } = window.consent;
  questions.length = 0;
  window.consent.otherwise = () => ({ deny: '' });
  const as = isOther ? window.another : window.ctx;
  try {
    const done = window.run(toolNamed(tool), args, CALL, as).catch((error: Error) => {
      if (questions.length === 0) throw error;
    });
    await done;
    assert.ok(questions.length <= 1, 'asks twice');
    return questions[0];
  } finally {
    cleanUp();
  }
}

const grantee = (): Grantee => ({ asker: { agent: 'test' }, granted: new Set(), denied: new Set() });
const approvals = ({ ask, inquire, propose, store }: FakeConsent) =>
  new Approvals({ ask, inquire, propose, store, setting: () => 'ask', log: silent });

/** Whether an answer to one question allows what another asks for. */
async function covers(one: Question, allow: 'session' | 'workspace', other: Question): Promise<boolean> {
  const consent = new FakeConsent();
  const [all, agent] = [approvals(consent), grantee()];
  consent.answers.push({ allow });
  const { recheck: _, ...request } = one; // its window is gone
  await all.approve(request, agent, CALL);
  return all.isAllowed(other, agent, CALL);
}

const questions = new Map<string, Question>();

/** Asked once for all tests of this file. */
async function questioned([what, doing]: [string, Doing]) {
  const question =
    questions.get(what) ?? (await questionOf(doing)) ?? assert.fail(`nobody is asked: ${what}`);
  questions.set(what, question);
  return { what, question };
}

describe('features/index: what an answer covers', () => {
  afterEach(cleanUp);

  it('all tools with all actions are in this test', () => {
    const doings = [...Object.values(ALL), ...Object.values(UNASKED)];
    const known = new Set(
      doings.map(({ tool, args }) => `${tool} ${(args as { action?: string }).action ?? ''}`),
    );
    const isProposal = ({ name }: Tool) => name === 'propose_edit'; // the user edits and accepts it
    const all = features.tools.filter((tool) => tool.operation !== 'read' && !isProposal(tool));
    const missing = all.flatMap(({ name, input }) => {
      const { action } = input.shape as { action?: { def: object } };
      const inner = action && ('innerType' in action.def ? action.def.innerType : action);
      const actions = inner ? Object.keys((inner as { enum: object }).enum) : [''];
      return actions
        .map((one) => `${name} ${one}`)
        .filter((one) => !known.has(one) && one !== 'debug_breakpoints set');
    });
    assert.deepEqual(missing, []);
  });

  for (const [what, doing] of Object.entries(UNASKED))
    it(`needs no question: ${what}`, async () => assert.equal(await questionOf(doing), undefined));

  for (const allow of ['session', 'workspace'] as const)
    it(`each pair of calls is covered by the sentence that was shown, or asked about: ${allow}`, async () => {
      const asked: Awaited<ReturnType<typeof questioned>>[] = [];
      for (const one of Object.entries(ALL)) asked.push(await questioned(one));
      const pairs = asked.flatMap((one) => asked.map((other) => [one, other] as const));
      const wrong = await Promise.all(
        pairs.map(async ([one, other]) => {
          const sentence = one.question.grants.map(grantLabel).join('; ');
          const covered = sentence === '' ? [] : (COVERED[sentence] ?? [one.what]);
          const isWanted = covered.includes(other.what);
          return (await covers(one.question, allow, other.question)) === isWanted
            ? []
            : `${one.what} (${sentence}) ${isWanted ? 'does not cover' : 'covers'} ${other.what}`;
        }),
      );
      assert.deepEqual(wrong.flat(), []);
    });

  it('a denial for the session reaches all of its kind, by whatever tool', async () => {
    const agent = grantee();
    agent.denied.add('task').add('test');
    const all = approvals(new FakeConsent());
    for (const what of ['run a task', 'debug one with a task', 'run all tests', 'debug a test']) {
      const { question } = await questioned([what, ALL[what] ?? assert.fail(what)]);
      const refused = () => all.isAllowed(question, agent, CALL);
      assert.throws(refused, /denied every (task|test) in this session/, what);
    }
  });
});
