/** What VS Code's own client of language servers gets from `shim.js lsp`: what the window's providers know, in the client's text. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../agent.ts';
import { closeAll, revert } from '../inside.ts';
import { doorOf, doorOfSuite } from './door.ts';
import {
  actions,
  edits,
  hovers,
  LIB,
  methods,
  placeholder,
  placeIn,
  places,
  type Shape,
  shown,
  signatures,
  symbols,
  TEXTS,
  TYPED,
  USE,
  workspaceEdits,
} from './doorAnswers.ts';
import { base, disk, openText, uriOf } from './workspace.ts';

/** A command of VS Code, the text that it is asked at, and the arguments that follow. */
const SAME: [command: string, path: string, at: string, shape: Shape, ...more: unknown[]][] = [
  ['executeDefinitionProvider', USE, '= |burrow', places],
  ['executeTypeDefinitionProvider', LIB, '|digger.dig', places],
  ['executeImplementationProvider', USE, 'new |Digger', places],
  ['executeReferenceProvider', USE, '= |burrow', places],
  ['executeReferenceProvider', LIB, '|dig(depth', places],
  ['executeHoverProvider', LIB, 'digger.|dig', hovers],
  ['prepareRename', LIB, 'function |burrow', placeholder],
  ['executeCompletionItemProvider', LIB, 'digger.|dig', methods],
  ['executeSignatureHelpProvider', LIB, 'dig(|1', signatures],
  ['executeDocumentSymbolProvider', LIB, '', symbols],
];

const ask = <T>(command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand<T>(`vscode.${command}`, ...args);

describe('shim.js lsp, with the client of vscode-languageclient', () => {
  const door = doorOfSuite(join(base, 'tools'));
  const openDoor = (path: string) => vscode.workspace.openTextDocument(doorOf(uriOf(path)));
  /** Replaces a text; an empty one is the start. */
  const change = async (document: vscode.TextDocument, old: string, text: string) => {
    const range = new vscode.Range(placeIn(document, `|${old}`), placeIn(document, `${old}|`));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, range, text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };
  let lib: vscode.TextDocument;

  before(async () => {
    for (const [path, text] of Object.entries(TEXTS)) writeFileSync(uriOf(path).fsPath, text);
    lib = await openText(LIB);
    await change(lib, '', TYPED);
    await openText(USE);
  });
  after(async () => {
    await revert(lib);
    for (const path of [LIB, USE]) rmSync(uriOf(path).fsPath);
    await closeAll();
  });

  it('registers what the window can do', () => {
    const missing = ['definition', 'references', 'hover', 'rename', 'completion', 'formatting'].filter(
      (name) => !door.registered.has(`textDocument/${name}`),
    );
    assert.deepEqual(missing, [], [...door.registered].join());
    assert.ok(!door.registered.has('textDocument/diagnostic'), 'Problems that are pushed too come twice.');
  });

  for (const [command, path, at, shape, ...more] of SAME)
    it(`${command} of ${at || path}: what the window answers, where the client's text has it`, async () => {
      const answered = async (document: vscode.TextDocument) => {
        const place = at ? [placeIn(document, at)] : [];
        const answer = await ask<never>(command, document.uri, ...place, ...more);
        return shape(answer, document.uri);
      };
      const { version } = lib;
      const expected = await answered(await openText(path));
      assert.ok(expected.length > 0, 'The window has no answer.');
      assert.deepEqual(await answered(await openDoor(path)), expected);
      assert.deepEqual([lib.version, disk(LIB)], [version, TEXTS[LIB]]);
    });

  it('symbols of the workspace', async () => {
    const command = 'executeWorkspaceSymbolProvider';
    const found = await ask<vscode.SymbolInformation[]>(command, door.query('burrow'));
    const places = found
      .filter(({ location }) => location.uri.scheme !== 'file')
      .map(({ name, location: { uri, range } }) => `${name} ${shown(uri, range)}`);
    assert.deepEqual(places, ['burrow() door.ts 7:0-9:1']);
  });

  it('callers', async () => {
    const answered = async (document: vscode.TextDocument) => {
      const place = placeIn(document, '|dig(depth');
      const [item] = await ask<vscode.CallHierarchyItem[]>('prepareCallHierarchy', document.uri, place);
      assert.ok(item);
      const calls = await ask<vscode.CallHierarchyIncomingCall[]>('provideIncomingCalls', item);
      return calls.flatMap(({ from, fromRanges }) => [
        `${from.name} ${shown(from.uri, from.selectionRange)}`,
        ...fromRanges.map((range) => shown(from.uri, range)),
      ]);
    };
    const expected = await answered(lib);
    assert.ok(expected.length > 1);
    assert.deepEqual(await answered(await openDoor(LIB)), expected);
  });

  it('a text that the client has changed is its own, and the window has another', async () => {
    const use = await openDoor(USE);
    const { version } = await openText(USE);
    await change(use, '', '// the client\n');
    const place = placeIn(use, '= |burrow');
    const [found] = await ask<vscode.LocationLink[]>('executeDefinitionProvider', use.uri, place);
    assert.deepEqual(places(found ? [found] : [], use.uri), ['door.ts 7:16-7:22']);
    const used = await ask<vscode.Location[]>('executeReferenceProvider', use.uri, place);
    assert.ok(places(used, use.uri).includes('doorUse.ts 3:27-3:33'), places(used, use.uri).join('\n'));
    assert.equal((await openText(USE)).version, version);
    await revert(use);
  });

  it('a line that differs is an error, and no answer names a place on it', async () => {
    const client = await openDoor(LIB);
    await change(lib, 'return depth;', 'return depth + 1;');
    const asks = (method: string, at: string, more: object = {}) => {
      const params = { textDocument: { uri: `${lib.uri}` }, position: placeIn(client, at), ...more };
      return door.client.sendRequest(`textDocument/${method}`, params);
    };
    await assert.rejects(asks('hover', 'return |depth'), /door\.ts:4 is another line in VS Code/);
    assert.ok(await asks('hover', '|depth: number'));
    const rename = asks('rename', 'function |burrow', { newName: 'tunnel' });
    await assert.rejects(rename, /door\.ts has other text in VS Code than yours/);
    const place = placeIn(client, '|depth: number');
    const found = await ask<vscode.Location[]>('executeReferenceProvider', client.uri, place);
    const named = found.map(({ range }) => client.getText(range) || `somewhere in line ${range.start.line}`);
    assert.deepEqual(named.sort(), ['depth', 'somewhere in line 3']);
  });

  describe('once the window has the text of the disk', () => {
    const problems = (path: string) =>
      vscode.languages
        .getDiagnostics(doorOf(uriOf(path)))
        .map(({ message, range }) => `${range.start.line} ${message}`);
    const save = async (old: string, text: string) => {
      const client = await openDoor(LIB);
      await change(client, old, text);
      assert.ok(await client.save());
    };
    const isMissing = () => problems(LIB).find((one) => /^8 Property 'digg' does not exist/.test(one));

    it('it has the problems that were not told before', async () => {
      await save('digger.dig(1)', 'digger.digg(1)');
      await revert(lib);
      await until('the problem', isMissing);
      await save('digger.digg(1)', 'digger.dig(1)');
      await until('no problem', () => problems(LIB).length === 0 || undefined);
    });

    it('a rename has its edits, and none is made', async () => {
      const client = await openDoor(LIB);
      const { uri } = client;
      const place = placeIn(client, 'function |burrow');
      const edit = await ask<vscode.WorkspaceEdit>('executeDocumentRenameProvider', uri, place, 'tunnel');
      const expected = ['door.ts 7:16-7:22', 'doorUse.ts 0:9-0:15', 'doorUse.ts 2:27-2:33'];
      const all = workspaceEdits(edit, uri);
      assert.deepEqual(
        all,
        expected.map((one) => `${one} tunnel`),
      );
      for (const path of [LIB, USE]) assert.equal((await openText(path)).getText(), TEXTS[path]);
    });

    it('a formatted text', async () => {
      const options = { tabSize: 2, insertSpaces: true };
      const answered = async ({ uri }: vscode.TextDocument) =>
        edits(await ask<never>('executeFormatDocumentProvider', uri, options), uri);
      const expected = await answered(lib);
      assert.ok(expected.length > 0);
      assert.deepEqual(await answered(await openDoor(LIB)), expected);
    });

    it('code actions that are edits, but for those that make a file', async () => {
      const answered = async (document: vscode.TextDocument) => {
        const range = new vscode.Range(placeIn(document, '|digger.dig'), placeIn(document, 'dig(1)|'));
        const command = 'executeCodeActionProvider';
        const resolved = 50; // so many get their edits
        return ask<vscode.CodeAction[]>(command, document.uri, range, undefined, resolved);
      };
      const expected = (await answered(lib)).filter(({ kind }) => !/\.move\b/.test(kind?.value ?? ''));
      const client = await openDoor(LIB);
      assert.ok(expected.some(({ title }) => title === 'Extract to function in module scope'));
      assert.deepEqual(actions(await answered(client), client.uri), actions(expected, lib.uri));
    });

    it('what the client saves is looked at again, with the files that use it', async () => {
      await save('digger.dig(1)', 'digger.digg(1)');
      await until('the problem', isMissing);
      await save('  return   digger.digg(1)', "  return 'deep'");
      await save('Digger): number', 'Digger): string');
      await until('the problem of the other file', () =>
        problems(USE).find((one) => /^2 Type 'string'/.test(one)),
      );
      await save("'deep'", 'digger.dig(1)');
      await save('Digger): string', 'Digger): number');
      await until('no problems', () => problems(LIB).length + problems(USE).length === 0 || undefined);
    });
  });
});
