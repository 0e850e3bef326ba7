import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Uri } from 'vscode';
import { features } from '../../src/features/index.ts';
import { WorkspaceEdit } from '../fakes/edits.ts';
import { FakeDiagnostic, FakeDocument, Range, Selection } from '../fakes/text.ts';
import type { FakeVscode } from '../fakes/vscode.ts';
import { calling } from './calling.ts';
import { useMachine } from './harness.ts';
import type { Message } from './rawAgent.ts';

const SECRET = 'k3y-5wordf1sh';
const LATER = 'k3y-0ctopu5';
const REDACTED = '[redacted]';
const PART = /k3y|5word|0ctop/;
const SETTING = 'workspaceMcp.access.redact';
const KEY_LINE = `const key = "${SECRET}"; // end`;
const MODIFIED = 5;

/** The secret's 0-based line. */
const lineOf = (text: string) => text.slice(0, text.indexOf('k3y')).split('\n').length - 1;

const outputs = [{ output_type: 'stream', text: [SECRET] }];
const cells = [{ cell_type: 'code', source: ['x\n', `print("${SECRET}")`], outputs }];
const notebook = JSON.stringify({ nbformat: 4, metadata: {}, cells });

const TREE = {
  'src/a.ts': `first\n${KEY_LINE}\nlast\n`,
  'b.txt': `free\n${SECRET} free\n`,
  'open.txt': 'saved\n',
  'n.ipynb': notebook,
  'open.ipynb': notebook,
  '.vscode/x.code-snippets': JSON.stringify({
    Ask: {
      description: `about ${SECRET}`,
      body: `\${1:${SECRET}} \${2|${SECRET},other|} [$TM_SELECTED_TEXT] [$TM_CURRENT_LINE] [$TM_CURRENT_WORD] [\${TM_SELECTED_TEXT/^(.)/$1/}]`,
    },
  }),
};

const FILES = Object.keys(TREE);

/** A window in which everything that agents are told of holds the secret. */
async function full(machine: ReturnType<typeof useMachine>) {
  const window = await machine.open({
    trees: { ws: TREE },
    user: { [SETTING]: ['k3y-\\w+'], 'workspaceMcp.tools.profile': 'all' },
  });
  window.consent.otherwise = () => ({ allow: 'once' });
  const agent = await window.greeted();
  const { fake } = window;
  const root = fake.api.Uri.file(window.path());
  const uri = fake.api.Uri.file(window.path('src/a.ts'));
  const repository = fake.git.opens(root);
  repository.state.HEAD = { name: `fix-${SECRET}`, commit: 'abc' };
  repository.state.workingTreeChanges = ['src/a.ts', 'b.txt', 'open.txt'].map((file) => {
    const changed = fake.api.Uri.file(window.path(file));
    repository.committed.set(changed.fsPath, `before\n${SECRET} ${file}\nlast\n`);
    return { uri: changed, originalUri: changed, renameUri: undefined, status: MODIFIED };
  });
  const at = KEY_LINE.indexOf(SECRET);
  const document = fake.person.opensTab(uri.fsPath);
  Object.assign(document, { getWordRangeAtPosition: () => new Range(1, at, 1, at + 3) });
  Object.assign(fake.tabs[0] ?? {}, { isActive: true });
  // All of it, its first half, and its second half with what follows.
  const selections = [
    new Selection(1, 0, 1, KEY_LINE.length),
    ...[new Selection(1, at, 1, at + 6), new Selection(1, at + 6, 2, 4)],
  ];
  const editor = { document, selections, selection: selections[0], visibleRanges: [new Range(0, 0, 2, 0)] };
  fake.person.goesTo(editor);
  const unsaved = fake.person.loads(window.path('open.txt'));
  fake.person.types(unsaved, `unsaved ${SECRET} free\n`);
  fake.languageServer = (one) => {
    if (!one.getText().includes('k3y')) return [];
    const line = lineOf(one.getText());
    const whole = new FakeDiagnostic(new Range(0, 0, 0, 1), `Type "${SECRET}" is wrong`);
    Object.assign(whole, { source: `lint ${SECRET}`, code: SECRET });
    return [whole, new FakeDiagnostic(new Range(line, 8, line, 9), 'Unknown word "5wordf1sh"')] as never;
  };
  for (const one of [document, unsaved]) fake.person.reports(one.uri.fsPath, fake.languageServer(one));
  const name = `sym ${SECRET}`;
  const [range, selectionRange] = [new Range(1, 0, 1, KEY_LINE.length), new Range(1, 6, 1, 9)];
  const ofA = [
    { name, detail: '"5wordf1sh"', kind: 12, range, selectionRange, children: [] },
    { name: '5wordf1sh', kind: 14, range, selectionRange: new Range(1, at, 1, at + 8), children: [] },
    { name: 'last', kind: 12, range: new Range(2, 0, 2, 4), selectionRange: new Range(2, 0, 2, 4) },
  ];
  fake.answers.set('vscode.executeDocumentSymbolProvider', (of) =>
    `${of}` === `${uri}` ? ofA : [{ ...ofA[0], detail: SECRET }],
  );
  const places = [
    { uri, range: selectionRange },
    { uri: fake.api.Uri.file(window.path('b.txt')), range: new Range(1, 0, 1, 3) },
  ];
  for (const kind of ['Reference', 'Definition', 'Implementation'])
    fake.answers.set(`vscode.execute${kind}Provider`, () => places);
  fake.answers.set('vscode.executeHoverProvider', () => [{ contents: [`key: "${SECRET}"`, '"5wordf1sh"'] }]);
  fake.answers.set('vscode.executeWorkspaceSymbolProvider', () =>
    places.map((location) => ({ name, containerName: SECRET, kind: 12, location })),
  );
  const item = { name, uri, range, selectionRange };
  fake.answers.set('vscode.prepareCallHierarchy', () => [item]);
  const calls = places.map((place) => ({ ...item, ...place, selectionRange: place.range }));
  fake.answers.set('vscode.provideIncomingCalls', () => calls.map((from) => ({ from, fromRanges: [] })));
  fake.answers.set('vscode.provideOutgoingCalls', () => calls.map((to) => ({ to })));
  answersEdits(fake, uri, at);
  window.says('src/a.ts', [2, 2], `Where does ${SECRET} come from?`);
  const terminal = fake.runs.opensTerminal(`zsh ${SECRET}`, root);
  const execution = fake.runs.enters(terminal, `echo ${SECRET}`);
  execution.prints(`printed ${SECRET}\r\nk3y-5wo`);
  fake.runs.startsTask(`build ${SECRET}`, { uri: root, name: 'ws', index: 0 });
  const notebook = fake.api.Uri.file(window.path('open.ipynb'));
  const cell = notebook.with({ scheme: 'vscode-notebook-cell', fragment: 'W0' });
  const inCell = Object.assign(new FakeDocument(cell, `print("${SECRET}")`), { languageId: 'python' });
  fake.documents.push(inCell);
  fake.person.reports(cell, [new FakeDiagnostic(new Range(0, 0, 0, 4), `no ${SECRET}`) as never]);
  fake.answers.set('vscode.open', (shown) => fake.person.reports(shown as typeof uri, []));
  const printed = { mime: 'text/plain', data: new TextEncoder().encode(SECRET) };
  fake.notebooks.push({
    uri: notebook,
    isDirty: true,
    getCells: () => [{ kind: 2, document: inCell, outputs: [{ items: [printed] }] }],
  });
  return { window, agent, fake, document, unsaved, execution, repository };
}

/** Servers whose edits show the secret: as new text, in the line that has it, and in what they say. */
function answersEdits(fake: FakeVscode, uri: Uri, at: number): void {
  const edits = [new Range(0, 0, 0, 5), new Range(1, at, 1, at + 3)].map((range) => {
    const edit = new WorkspaceEdit();
    edit.replace(uri, range, SECRET);
    return edit;
  });
  let renames = 0;
  fake.answers.set('vscode.executeDocumentRenameProvider', () => {
    const edit = edits[renames++ % 3];
    if (!edit) throw new Error(`cannot rename ${SECRET}`);
    return edit;
  });
  fake.answers.set('vscode.executeCodeActionProvider', () =>
    edits.map((edit, index) => ({ title: `Fix ${index} ${SECRET}`, kind: { value: 'quickfix' }, edit })),
  );
  const textEdits = edits.flatMap((edit) => edit.entries().flatMap(([, all]) => all));
  fake.answers.set('vscode.executeFormatDocumentProvider', () => textEdits.slice(0, 1));
  fake.answers.set('vscode.executeFormatRangeProvider', () => textEdits.slice(1));
}

type Full = Awaited<ReturnType<typeof full>>;

const SYMBOLS = [
  { symbol: 'last' },
  { path: 'src/a.ts', line: 2, symbol: 'none' },
  { path: 'src/a.ts', line: 2, column: 14 },
];

/** What each tool is called with, so that it would show the secret. */
const CALLS: Record<string, object[]> = {
  get_workspace: [{}],
  get_editor_state: [{}],
  read_file: [...FILES.map((path) => ({ path })), { path: 'src/a.ts', startLine: 2, endLine: 2 }],
  edit_file: [
    ...['const key = "k3-5wordf1sh"; // end', `const key = "${REDACTED}"; // end`, 'last'].map((oldText) => ({
      path: 'src/a.ts',
      edits: [{ oldText, newText: `${oldText}x` }],
    })),
    { path: 'open.txt', edits: [{ oldText: 'unsaved', newText: 'typed' }] },
  ],
  edit_notebook: ['n.ipynb', 'open.ipynb'].map((path) => ({
    path,
    edits: [{ action: 'replace', cell: 1, source: 'x' }],
    dryRun: true,
  })),
  ask_user: [{ message: 'Which one?' }],
  propose_edit: ['src/a.ts', 'b.txt', 'open.txt', 'n.ipynb'].map((path) => ({ path, newText: 'x' })),
  write_file: [
    { path: 'src/a.ts', content: 'x', overwrite: true, dryRun: true },
    { path: 'new/', dryRun: true },
  ],
  move_path: [
    { source: 'src', destination: 'lib', dryRun: true },
    { source: 'src/a.ts', destination: 'b.ts', copy: true, dryRun: true },
  ],
  delete_path: ['src/a.ts', 'b.txt', 'n.ipynb'].map((path) => ({ path, dryRun: true })),
  apply_patch: [
    { patch: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-const key = "k3-5wordf1sh"; // end\n+x\n' },
    { patch: '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: b.ts\n@@\n+x\n*** End Patch' },
    { patch: '*** Begin Patch\n*** Delete File: b.txt\n*** End Patch', dryRun: true },
  ],
  replace_in_files: ['free', '.', 'rdf1'].map((query) => ({
    query,
    replacement: 'x$&',
    isRegex: true,
    dryRun: query !== 'free',
  })),
  undo_edit: [{ dryRun: true }, { list: true }, {}],
  save_files: [{ dryRun: true }, {}],
  list_directory: [{}],
  find_files: [{ query: '' }],
  search_text: [...['free', '.'].map((query) => ({ query, isRegex: true, contextLines: 2 }))],
  list_symbols: [{ path: 'src/a.ts' }, { path: 'b.txt' }, { query: 'y' }, { query: 'rdf1' }],
  get_symbol: [
    ...SYMBOLS.map((symbol) => ({ ...symbol, include: ['callers', 'references'] })),
    { symbol: 'rdf1sh' },
  ],
  find_definition: SYMBOLS,
  find_references: SYMBOLS,
  find_calls: SYMBOLS.map((symbol) => ({ ...symbol, direction: 'in', depth: 3 })),
  find_types: SYMBOLS,
  get_change_impact: [{}, { paths: ['src/a.ts', 'b.txt'], depth: 2 }],
  rename_symbol: SYMBOLS.map((symbol) => ({ ...symbol, newName: 'b', dryRun: true })),
  edit_symbol: SYMBOLS.flatMap((symbol) => [
    { action: 'replace', ...symbol, body: 'other', dryRun: true },
    { action: 'insert_after', ...symbol, body: 'x', dryRun: true },
    { action: 'delete', ...symbol, dryRun: true },
  ]),
  apply_code_action: [
    { path: 'src/a.ts', list: true },
    { path: 'src/a.ts', list: true, problem: 'is wrong' },
    { path: 'src/a.ts', list: true, problem: 'rdf1' },
    ...['Fix 0', 'Fix 1', 'Fix', 'rdf1'].flatMap((title) => [
      { path: 'src/a.ts', line: 1, title, dryRun: true },
      { path: 'src/a.ts', line: 1, title, keepIf: 'no_new_errors' },
    ]),
  ],
  format_file: [
    { path: 'src/a.ts', dryRun: true },
    { path: 'src/a.ts', startLine: 2, dryRun: true },
  ],
  lsp_request: [
    ...['hover', 'documentSymbol', 'references', 'rename', 'codeAction', 'formatting'],
    'prepareCallHierarchy',
  ].map((method) => ({
    method: `textDocument/${method}`,
    params: {
      textDocument: { uri: 'src/a.ts' },
      position: { line: 1, character: 7 },
      newName: 'b',
      range: { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } },
      context: { diagnostics: [], includeDeclaration: true },
      options: { tabSize: 2, insertSpaces: true },
    },
  })),
  get_diagnostics: [{}, { path: 'src/a.ts' }, { paths: ['open.txt', 'b.txt', 'open.ipynb'] }],
  open_file: [{ path: 'src/a.ts', line: 2 }, { places: [{ path: 'src/a.ts', line: 2, note: 'Look here.' }] }],
  list_comments: [{}, { path: 'src', resolved: true }],
  add_comment: [{ path: 'src/a.ts', line: 2, text: 'Is it old?' }],
  resolve_comment: [{ id: 1, answer: 'It is.' }],
  select_window: [{}, { window: 'window1' }],
};

/** Requests all there is; what a tool answers fits its schema. */
async function requestAll({ agent, window }: Full): Promise<void> {
  const ask = (method: string, params = {}) => agent.request(method, params);
  const { tools } = (await ask('tools/list')).result;
  assert.equal(tools.length, features.tools.length - 1, 'all but select_window, in the only window');
  const { resources } = (await ask('resources/list')).result;
  const { resourceTemplates } = (await ask('resources/templates/list')).result;
  const { prompts } = (await ask('prompts/list')).result;
  const ofFile = resourceTemplates.flatMap(({ uriTemplate }: Message) =>
    FILES.flatMap((file) => {
      const whole = window.fake.api.Uri.file(window.path(file)).path;
      const path = uriTemplate.startsWith('file:') ? whole.slice(1) : file;
      const uri = uriTemplate.replace('{+path}', path);
      return uriTemplate.startsWith('file:') ? [uri, `${uri}#L2`, `${uri}#L1-L3`] : [uri];
    }),
  );
  const fixed = features.resources.flatMap((one) => one.fixed ?? []).map(({ uri }) => uri);
  const uris = new Set([...resources.map(({ uri }: Message) => uri), ...fixed, ...ofFile]);
  for (const uri of uris) {
    await ask('resources/subscribe', { uri });
    await ask('resources/read', { uri });
  }
  for (const { name, arguments: args } of prompts) {
    await ask('prompts/get', { name, arguments: {} });
    const ref = { type: 'ref/prompt', name };
    for (const argument of args)
      await ask('completion/complete', { ref, argument: { name: argument.name, value: '' } });
  }
  for (const { name, outputSchema } of tools) {
    const fits = outputSchema && new Ajv2020().compile(outputSchema);
    for (const args of CALLS[name] ?? []) {
      const call = { name, arguments: args, _meta: { progressToken: name } };
      const { result } = await ask('tools/call', call);
      assert.equal(!result?.isError && 'structuredContent' in result, outputSchema !== undefined, name);
      assert.ok(!fits || fits(result.structuredContent), `${name}: ${JSON.stringify(fits?.errors)}`);
    }
  }
}

describe('wire: redacted text', () => {
  const machine = useMachine();

  it('is in no answer and no notification: of every tool, resource, template and prompt', async () => {
    const all = await full(machine);
    const { agent, window, fake, unsaved, document, execution } = all;
    await agent.request('logging/setLevel', { level: 'debug' });
    await requestAll(all);
    // What comes later, to an agent that has subscribed to everything.
    fake.person.types(unsaved, `${LATER}\n`);
    execution.prints(`rdf1sh\r\n${LATER}\r\n`);
    window.writes('new.txt', LATER);
    await agent.notification('notifications/resources/updated');
    for (const name of ['read_file', 'search_text', 'get_editor_state'])
      for (const args of CALLS[name] ?? []) await agent.request('tools/call', { name, arguments: args });
    assert.ok(document.getText().includes(SECRET));
    for (const message of agent.received) {
      const said = JSON.stringify(message);
      assert.doesNotMatch(said, PART, said.slice(0, 2000));
      assert.doesNotMatch(said, /[\uffff\ufdd0-\ufddf]/);
    }
    assert.ok(agent.received.filter((one) => JSON.stringify(one).includes(REDACTED)).length > 30);
  });

  it('is redacted where the rest is shown, and neither for the person who is asked nor in the file', async () => {
    const { agent, window } = await full(machine);
    const data = async (name: string) => {
      const { result } = await agent.request('resources/read', { uri: `editor-state:///${name}` });
      return JSON.parse(result.contents[0].text);
    };
    const line = KEY_LINE.replace(SECRET, REDACTED);
    const { active } = await data('active-editor');
    const texts = active.selections.map(({ text }: Message) => text);
    assert.deepEqual(texts, [line, REDACTED, `${REDACTED}"; // end\nlast`]);
    const { files } = await data('problems');
    assert.partialDeepStrictEqual(files.find(({ path }: Message) => path === 'src/a.ts').problems, [
      { message: `Type "${REDACTED}" is wrong`, source: `lint ${REDACTED}`, code: REDACTED },
      { message: REDACTED },
    ]);
    assert.equal((await data('changes')).repositories[0].branch, `fix-${REDACTED}`);
    assert.equal((await data('tasks')).tasks[0].name, `build ${REDACTED}`);
    const { result } = await agent.request('prompts/get', { name: 'ask', arguments: {} });
    assert.equal(result.description, `about ${REDACTED}`);
    assert.ok(result.messages[0].content.text.includes(`[${line}]`));
    const edits = [{ oldText: 'last', newText: 'the last' }];
    assert.ok(!(await calling(agent, 'edit_file', { path: 'src/a.ts', edits })).isError);
    assert.match(JSON.stringify(window.consent.questions), new RegExp(SECRET));
    assert.equal(readFileSync(window.path('src/a.ts'), 'utf8'), `first\n${KEY_LINE}\nthe last\n`);
  });
});
