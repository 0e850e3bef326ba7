import '../fakes/module/register.ts';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { WorkspaceEdit } from '../fakes/edits.ts';
import { FakeDiagnostic, Range, Selection } from '../fakes/text.ts';
import { type TestWindow, useMachine } from './harness.ts';
import type { Message } from './rawAgent.ts';

const SNAPSHOT = new URL('tools.snapshot.json', import.meta.url);

const AT_NAME = { path: 'src/a.ts', line: 1, column: 7 };
/** Only this file has symbols. */
const OF_NAME = { path: 'b.py', symbol: 'b', dryRun: true };

const AS_DIFF = /\n-const a = 1;\n\+const b = 1;\n$/;

/** A call of every tool: what it is given, and what it has to say. */
const CALLS: Record<string, { args: object; text: RegExp }> = {
  apply_code_action: { args: { path: 'src/a.ts', line: 1, dryRun: true }, text: AS_DIFF },
  ask_user: { args: { message: 'Which?', choices: ['a', 'b'] }, text: /^The user chose: b$/ },
  copy_path: {
    args: { source: 'src/a.ts', destination: 'src/b.ts', dryRun: true },
    text: /^Not done yet\. src\/a\.ts: copied to src\/b\.ts\.$/,
  },
  create_directory: {
    args: { path: 'new', dryRun: true },
    text: /^Not done yet\. new: folder created\.$/,
  },
  delete_path: { args: { path: 'src/a.ts', dryRun: true }, text: /^Not done yet\. .*\n-const a = 1;\n$/s },
  apply_patch: {
    args: { patch: '--- a/src/a.ts\n+++ b/src/a.ts\n@@\n-const a = 1;\n+const b = 1;\n', dryRun: true },
    text: AS_DIFF,
  },
  delete_symbol: { args: OF_NAME, text: /^\[Note: Uses were not checked\. .*\n-b = 1\n/s },
  edit_file: {
    args: { path: 'src/a.ts', edits: [{ oldText: '1', newText: '2' }], dryRun: true },
    text: /\n-const a = 1;\n\+const a = 2;\n$/,
  },
  edit_notebook: {
    args: { path: 'n.ipynb', edits: [{ action: 'insert', kind: 'markdown', source: '# b' }], dryRun: true },
    text: /\n\+--- cell \(markdown\)\n\+# b\n$/,
  },
  find_calls: {
    args: AT_NAME,
    text: /^No calls of a \(src\/a\.ts:1\)\. .* provides a call hierarchy/,
  },
  find_definition: {
    args: AT_NAME,
    text: /^No definitions of a .* provides definitions for "typescript"\.$/,
  },
  find_files: { args: { query: '*.ts' }, text: /^src\/a\.ts$/ },
  find_references: { args: AT_NAME, text: /^No references to a .* provides references for "typescript"\.$/ },
  find_types: { args: AT_NAME, text: /^No subtypes of a .* provides a type hierarchy/ },
  format_file: { args: { path: 'src/a.ts', dryRun: true }, text: AS_DIFF },
  get_change_impact: {
    args: { paths: ['src/a.ts'] },
    text: /^Not checked \(.* provides symbols for "typescript"\.\): src\/a\.ts$/,
  },
  get_diagnostics: { args: { path: 'src/a.ts' }, text: /^src\/a\.ts\n {2}1:7 error Wrong \(ts 2322\)$/ },
  get_editor_state: {
    args: {},
    text: /^Active file: src\/a\.ts.*\nSelected 1:7 to 1:8:\na\nTabs: src\/a\.ts front$/,
  },
  get_symbol: { args: AT_NAME, text: /^\[Note: It is not declared .*\]\na \(src\/a\.ts:1\)$/ },
  get_workspace: { args: {}, text: /Folders: ws \(.*[\\/]ws\)/ },
  list_code_actions: { args: { path: 'src/a.ts', line: 1 }, text: /^src\/a\.ts:1\n {2}quickfix: Fix$/ },
  insert_at_symbol: {
    args: { ...OF_NAME, position: 'after', body: 'c = 2' },
    text: /\n b = 1\n\+c = 2\n$/,
  },
  list_directory: { args: { path: 'src' }, text: /^a\.ts \(13\)$/ },
  list_symbols: { args: { path: 'src/a.ts' }, text: / provides symbols for "typescript"\.$/ },
  list_windows: { args: {}, text: /^window1 \(this one, Fake Code .*\): ws \(.*[\\/]ws\)$/ },
  lsp_request: {
    args: {
      method: 'textDocument/hover',
      params: { textDocument: { uri: 'src/a.ts' }, position: { line: 0, character: 6 } },
    },
    text: /^\[Note: .* provides hovers for "typescript"\.\]\nnull$/,
  },
  move_path: {
    args: { source: 'src', destination: 'lib', dryRun: true },
    text: /^Not done yet\. src: moved to lib with \d files?\.$/,
  },
  open_file: { args: { path: 'src/a.ts', line: 1 }, text: /src\/a\.ts is open at line 1/ },
  propose_edit: {
    args: { path: 'src/a.ts', newText: 'const b = 1;\n' },
    text: /^The user discarded the proposal\./,
  },
  read_file: { args: { path: 'src/a.ts' }, text: /^const a = 1;\n$/ },
  rename_symbol: { args: { ...AT_NAME, newName: 'b', dryRun: true }, text: AS_DIFF },
  replace_in_files: { args: { query: 'a =', replacement: 'b =', include: ['src'] }, text: AS_DIFF },
  replace_symbol: { args: { ...OF_NAME, body: 'b = 2' }, text: /\n-b = 1\n\+b = 2\n$/ },
  save_files: { args: { dryRun: true }, text: /^There is no unsaved text\.$/ },
  search_text: { args: { query: 'CONST' }, text: /^src\/a\.ts\n {2}1: const a = 1;$/ },
  undo_edit: { args: { list: true }, text: /^No edits of yours in this session\.$/ },
  write_file: {
    args: { path: 'new.ts', content: 'x\n', dryRun: true },
    text: /^Not done yet\. new\.ts: created, 1 line\.\n.*\n\+x\n$/s,
  },
  select_window: {
    args: { window: 'window1' },
    text: /continues in window window1 \(folders: ws \(.*ws\)\)\.$/,
  },
};

describe('wire: tools', () => {
  const machine = useMachine();

  async function open(): Promise<{ window: TestWindow; tools: Message[] }> {
    const notebook = JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'code', source: '1' }] });
    const ws = { 'src/a.ts': 'const a = 1;\n', 'b.py': 'b = 1\n', 'n.ipynb': notebook };
    const window = await machine.open({ trees: { ws } });
    const range = new Range(0, 0, 0, 5);
    const symbol = { name: 'b', kind: 12, detail: '', range, selectionRange: range, children: [] };
    window.fake.answers.set('vscode.executeDocumentSymbolProvider', (uri) =>
      `${uri}`.endsWith('b.py') ? [symbol] : undefined,
    );
    const { result } = await window.rawAgent().request('tools/list');
    return { window, tools: result.tools };
  }

  it('are those of the snapshot: a change is seen in review (UPDATE_SNAPSHOTS=1 takes it over)', async () => {
    const { tools } = await open();
    const listed = `${JSON.stringify(tools, null, 2)}\n`;
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(SNAPSHOT, listed);
    assert.deepEqual(tools, JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  });

  it('each answer, with structured content that fits the schema where there is one', async () => {
    const { window, tools } = await open();
    const problem = Object.assign(new FakeDiagnostic(new Range(0, 6, 0, 7), 'Wrong'), {
      source: 'ts',
      code: 2322,
    });
    const document = window.fake.person.opensTab(window.path('src/a.ts'));
    Object.assign(window.fake.tabs[0] ?? {}, { isActive: true });
    const selections = [new Selection(0, 6, 0, 7)];
    window.fake.activeTextEditor = { document, selections, visibleRanges: [new Range(0, 0, 1, 0)] };
    window.fake.person.reports(window.path('src/a.ts'), [problem as never]);
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(0, 6, 0, 7), 'b');
    const { answers } = window.fake;
    answers.set('vscode.executeDocumentRenameProvider', () => edit);
    const fix = { title: 'Fix', kind: { value: 'quickfix' }, edit };
    answers.set('vscode.executeCodeActionProvider', () => [fix]);
    answers.set('vscode.executeFormatDocumentProvider', () => edit.entries()[0]?.[1]);
    window.consent.replies.push({ choice: 'b' });
    const client = await window.agent();
    assert.deepEqual(
      Object.keys(CALLS).sort(),
      tools.map(({ name }) => name),
    );
    for (const { name, outputSchema } of tools) {
      const call = CALLS[name];
      const result = await client.callTool({ name, arguments: { ...call?.args } });
      assert.ok(!result.isError, JSON.stringify(result.content));
      const [block] = result.content;
      assert.match(block?.type === 'text' ? block.text : '', call?.text ?? /never/);
      assert.equal('structuredContent' in result, outputSchema !== undefined, name);
      if (!outputSchema) continue;
      const validate = new Ajv2020().compile(outputSchema);
      assert.ok(validate(result.structuredContent), `${name}: ${JSON.stringify(validate.errors)}`);
    }
  });
});
