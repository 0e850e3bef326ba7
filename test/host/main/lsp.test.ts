/** Every method of `lsp_request`, beside what VS Code's own command answers. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { METHODS } from '../../../src/services/language/lsp/methods.ts';
import { Params } from '../../../src/services/language/lsp/params.ts';
import { COMMANDS } from '../../../src/services/language/providerCommands.ts';
import { agentOfSuite, root, settingsUntil } from '../inside.ts';

const INLAY_HINTS = 'typescript.inlayHints.parameterNames.enabled';

const SHAPES = 'src/shapes.ts';
/** No extension is for it, so the test provides what VS Code's own extensions do not. */
const WORDS = 'shapes.words';
const FILES = {
  [SHAPES]: [
    "import { money } from './money.js';",
    'export interface Shape {',
    '  area(): number;',
    '}',
    'export class Square implements Shape {',
    '  area() {',
    '    return half(4, 2);',
    '  }',
    '}',
    'export function half( a: number, b: number ) {',
    '  return a / b;',
    '}',
    'export const cost = money(half(8, 2));',
    '',
  ].join('\n'),
  'page.css': 'a { color: #ff0000; }\n',
  'page.html': '<a href="page.css">x</a>\n',
  [WORDS]: 'base derived\n',
};

const at = (line: number, character: number) => ({ position: { line, character } });
const between = (line: number, character: number, endLine: number, endCharacter: number) => ({
  range: { start: { line, character }, end: { line: endLine, character: endCharacter } },
});
const options = { tabSize: 2, insertSpaces: true };
const HALF = at(9, 18);
const CALL = at(6, 12);
const ALL = between(0, 0, 13, 0);
const WORD = between(0, 0, 0, 4);
const RED = { color: { red: 1, green: 0, blue: 0, alpha: 1 } };

const HIERARCHY = 'name uri selectionRange';
const SHAPED = 'start end line character range newText changes';

/** As the Language Server Protocol writes it, without the fields that are not named. */
function plain(value: unknown, names: string): unknown {
  const fields = new Set(`${SHAPED} ${names}`.split(' '));
  const isNamed = (key: string) => fields.has(key) || /^\d*$|:/.test(key); // an index or a URI
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, json) {
    const raw = this[key];
    if (!isNamed(key)) return;
    if (raw instanceof vscode.Range) return { start: raw.start, end: raw.end };
    if (raw instanceof vscode.Uri) return `${raw}`;
    if (raw instanceof vscode.CodeActionKind) return raw.value;
    if (raw instanceof Uint32Array) return [...raw];
    if (raw instanceof vscode.WorkspaceEdit)
      return { changes: Object.fromEntries(raw.entries().map(([uri, edits]) => [`${uri}`, edits])) };
    if (key === 'items') return json.slice(0, 20);
    if (key === 'label') return json.label ?? json;
    return typeof json?.start === 'number' ? { startLine: json.start, endLine: json.end } : json;
  });
  return JSON.parse(text);
}

/** The file, the params without its URI, and which fields are in the result: of each item of a list, or of the whole. */
type Case = [path: string, params: object, fields: string];

const CASES: Record<string, Case> = {
  'textDocument/hover': [SHAPES, HALF, ''],
  'textDocument/definition': [SHAPES, CALL, 'targetUri targetSelectionRange'],
  'textDocument/declaration': [WORDS, at(0, 6), 'uri'],
  'textDocument/typeDefinition': [SHAPES, at(12, 15), 'uri'],
  'textDocument/implementation': [SHAPES, at(1, 18), 'uri'],
  'textDocument/references': [SHAPES, HALF, 'uri'],
  'textDocument/documentHighlight': [SHAPES, HALF, ''],
  'textDocument/documentSymbol': [SHAPES, {}, 'name selectionRange children'],
  'textDocument/completion': [SHAPES, at(6, 12), 'items label'],
  'textDocument/signatureHelp': [SHAPES, at(6, 16), 'activeParameter signatures label'],
  'textDocument/codeAction': [
    SHAPES,
    { ...between(6, 11, 6, 21), context: { only: ['refactor.extract.constant'] } },
    'title kind edit',
  ],
  'textDocument/codeLens': [WORDS, {}, 'command title'],
  'textDocument/documentLink': ['page.html', {}, 'target'],
  'textDocument/documentColor': ['page.css', {}, 'color red green blue alpha'],
  'textDocument/colorPresentation': ['page.css', { ...RED, ...between(0, 11, 0, 18) }, 'label textEdit'],
  'textDocument/formatting': [SHAPES, { options }, ''],
  'textDocument/rangeFormatting': [SHAPES, { ...ALL, options }, ''],
  'textDocument/onTypeFormatting': [SHAPES, { ...at(11, 1), ch: '}', options }, ''],
  'textDocument/rename': [SHAPES, { ...HALF, newName: 'quotient' }, ''],
  'textDocument/prepareRename': [SHAPES, HALF, 'placeholder'],
  'textDocument/foldingRange': [SHAPES, {}, 'startLine endLine'],
  'textDocument/selectionRange': [SHAPES, { positions: [HALF.position] }, 'parent'],
  'textDocument/semanticTokens/full': [SHAPES, {}, 'data'],
  'textDocument/semanticTokens/range': [SHAPES, between(0, 0, 4, 0), 'data'],
  'textDocument/inlayHint': [SHAPES, ALL, 'position kind'],
  'textDocument/inlineValue': [
    WORDS,
    { ...WORD, context: { frameId: 1, stoppedLocation: WORD.range } },
    'text',
  ],
  'textDocument/prepareCallHierarchy': [SHAPES, HALF, HIERARCHY],
  'callHierarchy/incomingCalls': [SHAPES, HALF, `from fromRanges ${HIERARCHY}`],
  'callHierarchy/outgoingCalls': [SHAPES, at(5, 3), `to fromRanges ${HIERARCHY}`],
  'textDocument/prepareTypeHierarchy': [WORDS, at(0, 6), HIERARCHY],
  'typeHierarchy/supertypes': [WORDS, at(0, 6), HIERARCHY],
  'typeHierarchy/subtypes': [WORDS, at(0, 1), HIERARCHY],
  'workspace/symbol': [SHAPES, { query: 'Square' }, 'name location uri'],
};

/** What no built-in extension provides. */
function provideWords(): vscode.Disposable {
  const { languages, Range } = vscode;
  const words = { pattern: `**/${WORDS}` };
  const uri = vscode.Uri.file(join(root, WORDS));
  const [base, derived] = [new Range(0, 0, 0, 4), new Range(0, 5, 0, 12)];
  const type = (place: vscode.Range) =>
    new vscode.TypeHierarchyItem(vscode.SymbolKind.Class, `${place.start.character}`, '', uri, place, place);
  return vscode.Disposable.from(
    languages.registerDeclarationProvider(words, {
      provideDeclaration: () => [
        new vscode.Location(uri, base),
        new vscode.Location(vscode.Uri.file(join(root, '.env')), base),
      ],
    }),
    languages.registerCodeLensProvider(words, {
      provideCodeLenses: () => [
        new vscode.CodeLens(base, { title: 'Show', command: 'show', arguments: [join(root, '.env')] }),
      ],
    }),
    languages.registerInlineValuesProvider(words, {
      provideInlineValues: (_document, place) => [new vscode.InlineValueText(place, '1')],
    }),
    languages.registerTypeHierarchyProvider(words, {
      prepareTypeHierarchy: (_document, place) => type(base.contains(place) ? base : derived),
      provideTypeHierarchySupertypes: () => [type(base)],
      provideTypeHierarchySubtypes: () => [type(derived)],
    }),
  );
}

describe('lsp_request', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(after);
  let providers: vscode.Disposable;

  before(async () => {
    await set(INLAY_HINTS, 'all');
    for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text);
    providers = provideWords();
  });

  after(async () => {
    providers.dispose();
    for (const path of Object.keys(FILES)) rmSync(join(root, path), { force: true });
  });

  /** The result, and the note in front of it. */
  async function request(method: string, params: object): Promise<{ result: unknown; note: string }> {
    const text = await agent.call('lsp_request', { method, params });
    const [lead = '', note = ''] = /^\[Note: (.*)\]\n/.exec(text) ?? [];
    return { result: JSON.parse(text.slice(lead.length)), note };
  }

  it('has a case for every method', () => assert.deepEqual(Object.keys(CASES), Object.keys(METHODS)));

  for (const [method, [path, params, fields]] of Object.entries(CASES))
    it(`answers ${method} as VS Code does`, async () => {
      const row = METHODS[method];
      assert.ok(row);
      const document = await vscode.workspace.openTextDocument(join(root, path));
      const textDocument = { uri: path };
      const [prepare] = Object.entries(METHODS).find(([, { what }]) => what === row.prepare) ?? [];
      let asked: object = { textDocument, ...params };
      let args = row.args(new Params({ ...params }, 200, vscode), document.uri);
      if (row.prepare && prepare) {
        const { result } = await request(prepare, asked);
        asked = { item: (result as object[])[0] };
        const prepared = await vscode.commands.executeCommand<unknown[]>(
          COMMANDS[row.prepare],
          document.uri,
          new Params({ ...params }, 200, vscode).position(),
        );
        args = prepared.slice(0, 1);
      }
      const { result } = await request(method, asked);
      const raw = await vscode.commands.executeCommand(COMMANDS[row.what], ...args);
      const all = plain(method === 'textDocument/hover' ? (raw as unknown[])[0] : raw, fields);
      const expected = Array.isArray(all) ? all.filter((one) => !JSON.stringify(one).includes('.env')) : all;
      assert.ok(JSON.stringify(expected).length > 4, 'VS Code answers with nothing');
      if (Array.isArray(expected)) assert.equal((result as unknown[]).length, expected.length);
      assert.partialDeepStrictEqual(result, expected);
    });

  it('leaves out closed files, and arguments of commands', async () => {
    const declared = await request('textDocument/declaration', { textDocument: { uri: WORDS }, ...at(0, 6) });
    assert.equal(declared.note, '1 more place is outside the workspace or closed to you.');
    const { result } = await request('textDocument/codeLens', { textDocument: { uri: WORDS } });
    assert.deepEqual(result, [{ ...WORD, command: { title: 'Show', command: 'show' } }]);
    const refused = request('textDocument/hover', { textDocument: { uri: '.env' }, ...at(0, 0) });
    await assert.rejects(refused, /closed/);
  });

  it('says why there is nothing', async () => {
    const nothing = await request('textDocument/inlayHint', { textDocument: { uri: WORDS }, ...WORD });
    assert.deepEqual(nothing.result, []);
    assert.match(nothing.note, /no extension provides inlay hints for "plaintext"/i);
    const rename = request('textDocument/prepareRename', { textDocument: { uri: SHAPES }, ...at(6, 16) });
    await assert.rejects(rename, /textDocument\/prepareRename failed: You cannot rename this element/);
  });

  it('changes nothing', () => {
    for (const [path, text] of Object.entries(FILES))
      assert.equal(readFileSync(join(root, path), 'utf8'), text);
    assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
  });
});
