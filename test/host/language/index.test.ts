/** The tools that ask language servers, beside what VS Code's own commands answer, over two folders. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { windowRecord } from '../agent.ts';
import { revert } from '../inside.ts';
import './edits.test.ts';
import './fake.test.ts';
import './lsp.test.ts';
import './names.test.ts';
import './truth.test.ts';
import { agentInShop, linesIn, linesOf, positionOf, type, uriOf } from './workspace.ts';

const ask = <T>(command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand<T[]>(`vscode.${command}`, ...args);

/** What VS Code answers about a word, as `path:line`. */
const vsCode = async (command: string, path: string, word: string) =>
  linesOf(await ask<vscode.Location>(command, uriOf(path), await positionOf(path, word)));

/** An outline as list_symbols writes it, without indexes of symbols that share a name. */
function outline(symbols: readonly vscode.DocumentSymbol[], indent = '  '): string[] {
  const sorted = [...symbols].sort((a, b) => a.range.start.compareTo(b.range.start));
  return sorted.flatMap(({ name, kind, detail, range: { start, end }, children }) => {
    const lines = start.line === end.line ? `${end.line + 1}` : `${start.line + 1}-${end.line + 1}`;
    const kindName = vscode.SymbolKind[kind].replace(/^./, (letter) => letter.toLowerCase());
    return [
      `${indent}${lines} ${kindName} ${name}${detail && ` ${detail}`}`,
      ...outline(children, `${indent}  `),
    ];
  });
}

before(async () => {
  await windowRecord();
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('files').update('autoSave', 'off', Global);
  await vscode.workspace.getConfiguration('workspaceMcp').update('approvals', { edit: 'allow' }, Global);
});

describe('the tools for symbols, over two folders', () => {
  const agent = agentInShop();
  const CORE = 'shop/packages/core/src';
  const LEGACY = 'shop/packages/ui/src/legacy.js';
  const CSS = 'shop/packages/ui/style.css';
  const REPORT = 'tools/src/report02.ts';

  // TypeScript knows only the projects of files that were opened.
  before(async () => {
    for (const path of ['tools/src/report01.ts', 'shop/packages/app/src/page01.ts'])
      assert.equal(await agent.call('get_diagnostics', { path }), 'No problems.');
  });

  const SAME: [path: string, word: string, least: number, tool: string, args: object][] = [
    [`${CORE}/total.ts`, 'total', 37, 'find_references', { symbol: 'total' }],
    ['shop/packages/store/src/store.ts', 'add', 15, 'find_references', { symbol: 'Store/add[1]' }],
    [LEGACY, 'rounded', 2, 'find_references', { symbol: 'rounded' }],
    [CSS, '--accent', 3, 'find_references', { path: CSS, line: 2, column: 3 }],
    ['shop/README.md', 'core', 1, 'find_references', { path: 'shop/README.md', symbol: 'core' }],
    [`${CORE}/model.ts`, 'Priced', 11, 'find_definition', { symbol: 'Priced', kind: 'implementation' }],
    [REPORT, 'add', 1, 'find_definition', { path: REPORT, line: 5, symbol: 'add' }],
    [REPORT, 'total', 1, 'find_definition', { path: REPORT, line: 1, symbol: 'total' }],
  ];
  /** What TypeScript counts as implementations of `Priced`, though classes implement it. */
  const VARIABLES = ['shop/packages/store/src/store.ts:4', 'shop/packages/ui/src/legacy.js:3'];
  for (const [path, word, least, tool, args] of SAME)
    it(`${tool} ${JSON.stringify(args)} answers as VS Code does`, async () => {
      const kind =
        tool === 'find_references' ? 'Reference' : 'kind' in args ? 'Implementation' : 'Definition';
      const found = linesIn(await agent.call(tool, { ...args, limit: 500 }));
      const others = kind === 'Implementation' ? VARIABLES : [];
      const all = await vsCode(`execute${kind}Provider`, path, word);
      assert.deepEqual(
        found,
        all.filter((one) => !others.includes(one)),
      );
      assert.equal(all.length, found.length + others.length);
      assert.ok(found.length >= least, found.join('\n'));
    });

  for (const path of [
    'shop/packages/store/src/store.ts',
    REPORT,
    LEGACY,
    'shop/prices.json',
    CSS,
    'shop/packages/ui/index.html',
    'shop/README.md',
  ])
    it(`list_symbols has the outline of ${path}`, async () => {
      const [first, ...lines] = (await agent.call('list_symbols', { path, depth: 20 })).split('\n');
      const symbols = await ask<vscode.DocumentSymbol>('executeDocumentSymbolProvider', uriOf(path));
      assert.equal(first, path);
      const shown = lines.map((line) => line.replace(/\[\d+\]/, ''));
      assert.deepEqual(shown, outline(symbols));
      assert.ok(lines.length > 1 || path.startsWith('tools'));
    });

  it('list_symbols finds by name what VS Code finds', async () => {
    const text = await agent.call('list_symbols', { query: 'label', kinds: ['function'] });
    const found = await ask<vscode.SymbolInformation>('executeWorkspaceSymbolProvider', 'label');
    const functions = found
      .filter(({ kind }) => kind === vscode.SymbolKind.Function)
      .map(({ name }) => name.replace('()', ''));
    const names = [...text.matchAll(/ function (\w+)$/gm)].map(([, name]) => name);
    assert.deepEqual(names.sort(), [...new Set(functions)].sort());
    assert.ok(names.includes('label10') && names.includes('legacyLabel'), names.join());
  });

  it('find_calls walks the callers of all projects', async () => {
    const path = 'shop/packages/app/src/page01.ts';
    const direct = linesIn(await agent.call('find_calls', { symbol: 'page01', limit: 500 }));
    const [item] = await ask('prepareCallHierarchy', uriOf(path), await positionOf(path, 'page01'));
    const calls = await ask<vscode.CallHierarchyIncomingCall>('provideIncomingCalls', item);
    const places = calls.flatMap(({ from: { uri }, fromRanges }) =>
      fromRanges.map((range) => new vscode.Location(uri, range)),
    );
    assert.equal(direct.length, 2);
    assert.deepEqual(direct, linesOf(places));
    const text = await agent.call('find_calls', { symbol: 'page01', depth: 3, limit: 500 });
    assert.match(text, /Callers of allPages:\nshop\/packages\/app\/src\/main\.ts\n\d+: main {2}check/);
    assert.match(text, /Callers of main:\nshop\/packages\/app\/src\/main\.ts\n\d+: main\(\);/);
    assert.match(
      await agent.call('find_calls', { symbol: 'total' }),
      /^Callers of function total .*store\.ts\n14: sum .*\ntools\/src\/report06\.ts\n5: report06 /s,
    );
  });

  it('get_symbol has an overloaded method, with its callers in both folders', async () => {
    const symbol = 'Store/add[3]';
    const text = await agent.call('get_symbol', { symbol, include: ['references'] });
    assert.match(text, /^8: {3}add\(item: Priced \| string, price = 0\): this \{$/m);
    assert.match(text, /tools\/src\/report06\.ts\n5: /);
  });

  it('find_types falls back on implementations', async () => {
    const found = linesIn(await agent.call('find_types', { symbol: 'Item' }));
    assert.equal(found.filter((line) => line.includes('/items/item')).length, 10);
  });

  it('sees unsaved text in both folders', async () => {
    const documents = [
      await type('tools/src/report05.ts', 'export const unsaved = total([]) && wrong;\n'),
      await type(`${CORE}/check.ts`, 'export class Unsaved {}\n'),
    ];
    const found = linesIn(await agent.call('find_references', { symbol: 'total', limit: 500 }));
    assert.ok(found.includes('tools/src/report05.ts:7'));
    assert.deepEqual(found, await vsCode('executeReferenceProvider', `${CORE}/total.ts`, 'total'));
    assert.match(await agent.call('list_symbols', { query: 'Unsaved' }), /check\.ts\n {2}4 class Unsaved/);
    const told = await agent.call('get_diagnostics', { path: 'tools/src/report05.ts' });
    assert.match(told, /7:37 error Cannot find name 'wrong'/);
    await revert(...documents);
  });

  it('says if no extension provides an answer', async () => {
    const refused = agent.call('find_references', { path: 'shop/notes.txt', symbol: 'total' });
    await assert.rejects(refused, /No extension provides symbols for "plaintext"/);
    const said = await agent.call('find_references', { path: 'shop/notes.txt', line: 1, symbol: 'total' });
    assert.match(said, /No extension provides references for "plaintext"/);
  });
});
