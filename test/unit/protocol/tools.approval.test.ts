import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { editFile } from '../../../src/features/edit/editFile.ts';
import { features } from '../../../src/features/index.ts';
import { runCommand } from '../../../src/features/run/runCommand.ts';
import { defineTool, LOOKS_ONLY, type Tool, text } from '../../../src/features/tool.ts';
import { callTool } from '../../../src/protocol/tools.ts';
import { READ_LINE } from '../../fakes/vscode.ts';
import { BUILD, withTasks } from '../features/run/taskWindow.ts';
import { CALL, cleanUp, openWindow, textsOf, type Window } from '../features/window.ts';

type Args = Record<string, unknown>;

/** What to call each tool with that needs approval: calls that would change `x`, or start something. */
const EXAMPLES: Record<string, Args | Args[]> = {
  apply_patch: { patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' },
  replace_in_files: { query: 'a', replacement: 'b', dryRun: false },
  edit_file: { path: 'x', edits: [{ oldText: 'a', newText: 'b' }] },
  propose_edit: { path: 'x', newText: 'b' },
  edit_notebook: { path: 'n.ipynb', edits: [{ action: 'delete', cell: 1 }] },
  write_file: [{ path: 'y', content: '' }, { path: 'y/' }],
  move_path: [false, true].map((copy) => ({ source: 'x', destination: 'y', copy })),
  delete_path: { path: 'x' },
  undo_edit: {},
  save_files: {},
  rename_symbol: { path: 'x', line: 1, symbol: 'a', newName: 'b' },
  apply_code_action: { path: 'x', line: 1 },
  format_file: { path: 'x' },
  edit_symbol: [
    { action: 'replace', path: 'x', symbol: 'a', body: 'b' },
    { action: 'insert_after', path: 'x', symbol: 'a', body: 'b' },
    { action: 'delete', path: 'x', symbol: 'a' },
  ],
  run_command: { command: 'true' },
  run_tests: {},
  run_cells: { path: 'n.ipynb' },
  run_task: { task: 'build' },
  send_to_run: { run: 1, text: 'a' },
  debug_start: { configuration: { type: 'node', name: 'x' } },
  debug_breakpoints: { path: 'x', line: 1 },
  debug_evaluate: { expression: 'a' },
  execute_command: { command: 'shop.order' },
};

/** What comes before. */
const BEFORE: Record<string, (window: Window) => unknown> = {
  undo_edit: async (window) => {
    window.consent.answers.push({ allow: 'once' });
    await window.run(editFile, { path: 'z', edits: [{ oldText: 'z', newText: 'y' }] });
    window.consent.questions.splice(0);
  },
  run_task: (window) => withTasks(window, BUILD),
  send_to_run: async (window) => {
    window.consent.answers.push({ allow: 'once' });
    await window.run(runCommand, { command: READ_LINE, wait: 0 });
    window.consent.questions.splice(0);
  },
  debug_evaluate: ({ fake, path }) => fake.debug.begins().stopsIn(path('x'), 1),
  execute_command: ({ fake }) => fake.answers.set('shop.order', () => 'ordered'),
  run_tests: ({ fake }) => fake.extensions.brings({ commands: [{ title: 'Run Tests' }] }),
  debug_start: ({ fake }) => fake.extensions.brings({ debuggers: [{ type: 'node' }] }),
  save_files: ({ fake, path }) => fake.person.types(fake.person.loads(path('z')), 'typed'),
};

/** VS Code's commands that only ask language servers, opening a tab for them, and lists of commands, settings and kernels. */
const ASKS = /^(vscode\.(execute|prepare|provide|open)|_getAll|_resolveNotebookKernels)/;

/** Calls a tool as an agent does; records what it does to the editor. */
async function called(tool: Tool, args: Args) {
  const notebook = JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'code', source: 'a' }] });
  const window = openWindow({ x: 'a\n', z: 'z', 'n.ipynb': notebook });
  await BEFORE[tool.name]?.(window);
  const acts: unknown[] = [];
  const { fake } = window;
  const runs = window.ctx.agentRuns.all.length;
  const { workspace, commands, WorkspaceEdit, Range, Uri } = window.fake.api;
  const { applyEdit } = workspace;
  workspace.applyEdit = (edit) => {
    acts.push(edit);
    return applyEdit(edit);
  };
  const { executeCommand } = commands;
  commands.executeCommand = (command: string, ...rest: unknown[]) => {
    if (!ASKS.test(command)) acts.push(command);
    return executeCommand(command, ...rest);
  };
  const edit = new WorkspaceEdit();
  edit.replace(Uri.file(window.path('x')), new Range(0, 0, 0, 1), 'b');
  const { answers } = window.fake;
  answers.set('vscode.executeDocumentRenameProvider', () => edit);
  answers.set('vscode.executeCodeActionProvider', () => [{ title: 'Fix', edit }]);
  answers.set('vscode.executeFormatDocumentProvider', () => edit.entries()[0]?.[1]);
  const range = new Range(0, 0, 0, 1);
  const symbol = { name: 'a', kind: 12, detail: '', range, selectionRange: range, children: [] };
  answers.set('vscode.executeDocumentSymbolProvider', () => [symbol]);
  window.consent.answers.push({ deny: 'not today' });
  const result = await callTool(tool, { name: tool.name, arguments: args }, window, CALL);
  assert.ok('content' in result);
  acts.push(...window.ctx.agentRuns.all.slice(runs), ...fake.debug.starts, ...fake.debug.breakpoints);
  return { acts, result, window, said: textsOf(result as never).join() };
}

const input = z.strictObject({});
const changing = {
  name: 'change',
  title: 'Change',
  description: 'For this test.',
  group: 'edit',
  operation: 'edit',
  annotations: LOOKS_ONLY,
  input,
} as const;

/** `stop_run` ends what the user has allowed, and `debug_control` goes on with it. */
const UNASKED = ['stop_run', 'debug_control'];
const asking = features.tools.filter(
  ({ name, operation }) => operation !== 'read' && !UNASKED.includes(name),
);

describe('protocol/tools: approval', () => {
  afterEach(cleanUp);

  it('has an example of every tool that needs approval', () =>
    assert.deepEqual(asking.map(({ name }) => name).sort(), Object.keys(EXAMPLES).sort()));

  const calls = asking.flatMap((tool) =>
    [EXAMPLES[tool.name] ?? {}].flat().map((args) => [tool, args] as const),
  );
  for (const [tool, args] of calls)
    it(`${tool.name} does nothing that the user denies: ${JSON.stringify(args)}`, async () => {
      const { acts, result, window, said } = await called(tool, args);
      const { questions, proposals } = window.consent;
      assert.match(said, proposals.length > 0 ? /discarded the proposal/ : /not today/);
      assert.deepEqual([questions.length + proposals.length, acts], [1, []]);
      assert.equal(result.isError === true, questions.length === 1);
      assert.equal(readFileSync(window.path('x'), 'utf8'), 'a\n');
    });

  it('an answer without a question is an error, and in the log', async () => {
    const tool = defineTool({ ...changing, run: async () => text('done') });
    const { result, said } = await called(tool, {});
    assert.equal(result.isError, true);
    assert.match(said, /change failed inside the extension/);
  });

  it('a call that only looks needs none', async () => {
    const tool = defineTool({ ...changing, onlyLooks: () => true, run: async () => text('done') });
    assert.equal((await called(tool, {})).said, 'done');
  });

  for (const more of [{ onlyLooks: () => true }, { operation: 'read' }] as const)
    it(`a tool cannot ask where it only looks: ${Object.keys(more)}`, async () => {
      const run: Tool['run'] = async (_args, _ctx, { approve }) => {
        await approve({ kind: 'run', subject: 'x' });
        return text('done');
      };
      const { result, window } = await called({ ...changing, ...more, run }, {});
      assert.deepEqual([result.isError, window.consent.questions], [true, []]);
    });
});
