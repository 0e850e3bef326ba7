/** What an agent does with the tools that change or start something, in a window that has everything. */
import assert from 'node:assert/strict';
import { features } from '../../../src/features/index.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { WorkspaceEdit } from '../../fakes/edits.ts';
import { Range } from '../../fakes/text.ts';
import { READ_LINE } from '../../fakes/vscode.ts';
import { ipynb } from './notebooks.ts';
import { BUILD, withTasks } from './run/taskWindow.ts';
import { renames, withServer } from './symbols/server.ts';
import type { openWindow, Window } from './window.ts';

const TREE = {
  'a.ts': 'class A {\n  run() {\n  }\n}\nconst only = 1;\n',
  'b.ts': 'const b = only;\n',
  'n.ipynb': ipynb('one', 'two'),
  'package.json': JSON.stringify({ scripts: { test: 'mocha' } }),
  '.vscode/settings.json': '{}',
};
const PATCH = (...hunks: string[]) => ['*** Begin Patch', ...hunks, '*** End Patch', ''].join('\n');
const METHOD = { path: 'a.ts', symbol: 'A/run' };

/** A window that has everything that an agent can do something with. */
export function openAll(options: Parameters<typeof openWindow>[1] = {}): Window {
  const window = withServer(TREE, options);
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

export const toolNamed = (name: string): Tool =>
  features.tools.find((tool) => tool.name === name) ?? assert.fail(`no tool ${name}`);

/** Something that an agent does: a tool, its arguments, and what has to be done before. */
export interface Doing {
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

export const EDITS: Record<string, Doing> = {
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

export const DELETES: Record<string, Doing> = {
  'delete a file': { tool: 'delete_path', args: { path: 'b.ts' } },
  'delete a file by a patch': { tool: 'apply_patch', args: { patch: PATCH('*** Delete File: b.ts') } },
  'undo the making of a file': { tool: 'undo_edit', args: { id: 1 }, before: CREATED },
};

export const TESTS: Record<string, Doing> = {
  'run all tests': { tool: 'run_tests', args: {} },
  'run one test': { tool: 'run_tests', args: { paths: ['a.ts'], name: 'only' } },
  'run tests with coverage': { tool: 'run_tests', args: { coverage: true } },
};

export const BREAKPOINTS: Record<string, Doing> = {
  'set a breakpoint': { tool: 'debug_breakpoints', args: { path: 'a.ts', line: 1 } },
  'set another breakpoint': { tool: 'debug_breakpoints', args: { path: 'b.ts', line: 1 } },
};

/** What nothing else covers; each of it has a sentence of its own, or none. */
export const EACH: Record<string, Doing> = {
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
export const UNASKED: Record<string, Doing> = {
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
