/** Every method of `lsp_request`, beside what VS Code's own command answers. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/services/language/commands.ts';
import { METHODS } from '../../../src/services/language/lsp/methods.ts';
import { Params } from '../../../src/services/language/lsp/params.ts';
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

const position = ({ line, character }: vscode.Position) => ({ line, character });
const range = ({ start, end }: vscode.Range) => ({ start: position(start), end: position(end) });
const location = ({ uri, range: place }: vscode.Location) => ({ uri: `${uri}`, range: range(place) });
const edit = ({ range: place, newText }: vscode.TextEdit) => ({ range: range(place), newText });
const item = ({ name, uri, selectionRange }: vscode.CallHierarchyItem | vscode.TypeHierarchyItem) => ({
  ...{ name, uri: `${uri}`, selectionRange: range(selectionRange) },
});
const link = (found: vscode.LocationLink) => ({
  targetUri: `${found.targetUri}`,
  targetSelectionRange: range(found.targetSelectionRange ?? found.targetRange),
});

/** The file, the params without its URI, and what is in the result: of each item of a list, or of the whole. */
type Case = [path: string, params: object, facts: (raw: never) => unknown];

const CASES: Record<string, Case> = {
  'textDocument/hover': [
    SHAPES,
    HALF,
    (raw: vscode.Hover[]) => raw[0]?.range && { range: range(raw[0].range) },
  ],
  'textDocument/definition': [SHAPES, CALL, (raw: vscode.LocationLink[]) => raw.map(link)],
  'textDocument/declaration': [
    WORDS,
    at(0, 6),
    (raw: vscode.Location[]) => raw.filter(({ uri }) => !uri.path.endsWith('.env')).map(location),
  ],
  'textDocument/typeDefinition': [SHAPES, at(12, 15), (raw: vscode.Location[]) => raw.map(location)],
  'textDocument/implementation': [SHAPES, at(1, 18), (raw: vscode.Location[]) => raw.map(location)],
  'textDocument/references': [SHAPES, HALF, (raw: vscode.Location[]) => raw.map(location)],
  'textDocument/documentHighlight': [
    SHAPES,
    HALF,
    (raw: vscode.DocumentHighlight[]) =>
      raw.map(({ range: place, kind = 0 }) => ({ range: range(place), kind: kind + 1 })),
  ],
  'textDocument/documentSymbol': [
    SHAPES,
    {},
    (raw: vscode.DocumentSymbol[]) =>
      raw.map(({ name, kind, selectionRange, children }) => ({
        ...{ name, kind: kind + 1, selectionRange: range(selectionRange) },
        ...(children.length > 0 && { children: children.map((child) => ({ name: child.name })) }),
      })),
  ],
  'textDocument/completion': [
    SHAPES,
    at(6, 12),
    (raw: vscode.CompletionList) => ({
      items: raw.items.slice(0, 20).map(({ label }) => ({
        label: typeof label === 'string' ? label : label.label,
      })),
    }),
  ],
  'textDocument/signatureHelp': [
    SHAPES,
    at(6, 16),
    ({ signatures, activeParameter }: vscode.SignatureHelp) => ({
      activeParameter,
      signatures: signatures.map(({ label }) => ({ label })),
    }),
  ],
  'textDocument/codeAction': [
    SHAPES,
    { ...between(6, 11, 6, 21), context: { only: ['refactor.extract.constant'] } },
    (raw: vscode.CodeAction[]) =>
      raw.map(({ title, kind, edit: plan }) => ({
        ...{ title, kind: kind?.value },
        ...(plan && {
          edit: {
            changes: Object.fromEntries(plan.entries().map(([uri, edits]) => [`${uri}`, edits.map(edit)])),
          },
        }),
      })),
  ],
  'textDocument/codeLens': [
    WORDS,
    {},
    (raw: vscode.CodeLens[]) =>
      raw.map(({ range: place, command }) => ({ range: range(place), command: { title: command?.title } })),
  ],
  'textDocument/documentLink': [
    'page.html',
    {},
    (raw: vscode.DocumentLink[]) =>
      raw.map(({ range: place, target }) => ({ range: range(place), target: `${target}` })),
  ],
  'textDocument/documentColor': [
    'page.css',
    {},
    (raw: vscode.ColorInformation[]) => raw.map(({ range: place }) => ({ range: range(place), ...RED })),
  ],
  'textDocument/colorPresentation': [
    'page.css',
    { ...RED, ...between(0, 11, 0, 18) },
    (raw: vscode.ColorPresentation[]) =>
      raw.map(({ label, textEdit }) => ({ label, ...(textEdit && { textEdit: edit(textEdit) }) })),
  ],
  'textDocument/formatting': [SHAPES, { options }, (raw: vscode.TextEdit[]) => raw.map(edit)],
  'textDocument/rangeFormatting': [SHAPES, { ...ALL, options }, (raw: vscode.TextEdit[]) => raw.map(edit)],
  'textDocument/onTypeFormatting': [
    SHAPES,
    { ...at(11, 1), ch: '}', options },
    (raw: vscode.TextEdit[]) => raw.map(edit),
  ],
  'textDocument/rename': [
    SHAPES,
    { ...HALF, newName: 'quotient' },
    (raw: vscode.WorkspaceEdit) => ({
      changes: Object.fromEntries(raw.entries().map(([uri, edits]) => [`${uri}`, edits.map(edit)])),
    }),
  ],
  'textDocument/prepareRename': [
    SHAPES,
    HALF,
    (raw: { range: vscode.Range; placeholder: string }) => ({ ...raw, range: range(raw.range) }),
  ],
  'textDocument/foldingRange': [
    SHAPES,
    {},
    (raw: vscode.FoldingRange[]) => raw.map(({ start, end }) => ({ startLine: start, endLine: end })),
  ],
  'textDocument/selectionRange': [
    SHAPES,
    { positions: [HALF.position] },
    (raw: vscode.SelectionRange[]) =>
      raw.map(({ range: place, parent }) => ({
        range: range(place),
        ...(parent && { parent: { range: range(parent.range) } }),
      })),
  ],
  'textDocument/semanticTokens/full': [
    SHAPES,
    {},
    ({ data }: vscode.SemanticTokens) => ({ data: [...data], legend: { tokenTypes: ['class', 'enum'] } }),
  ],
  'textDocument/semanticTokens/range': [
    SHAPES,
    between(0, 0, 4, 0),
    ({ data }: vscode.SemanticTokens) => ({ data: [...data], legend: { tokenTypes: ['class', 'enum'] } }),
  ],
  'textDocument/inlayHint': [
    SHAPES,
    ALL,
    (raw: vscode.InlayHint[]) => raw.map((hint) => ({ position: position(hint.position), kind: hint.kind })),
  ],
  'textDocument/inlineValue': [
    WORDS,
    { ...WORD, context: { frameId: 1, stoppedLocation: WORD.range } },
    (raw: vscode.InlineValueText[]) => raw.map(({ range: place, text }) => ({ range: range(place), text })),
  ],
  'textDocument/prepareCallHierarchy': [SHAPES, HALF, (raw: vscode.CallHierarchyItem[]) => raw.map(item)],
  'callHierarchy/incomingCalls': [
    SHAPES,
    HALF,
    (raw: vscode.CallHierarchyIncomingCall[]) =>
      raw.map(({ from, fromRanges }) => ({ from: item(from), fromRanges: fromRanges.map(range) })),
  ],
  'callHierarchy/outgoingCalls': [
    SHAPES,
    at(5, 3),
    (raw: vscode.CallHierarchyOutgoingCall[]) =>
      raw.map(({ to, fromRanges }) => ({ to: item(to), fromRanges: fromRanges.map(range) })),
  ],
  'textDocument/prepareTypeHierarchy': [WORDS, at(0, 6), (raw: vscode.TypeHierarchyItem[]) => raw.map(item)],
  'typeHierarchy/supertypes': [WORDS, at(0, 6), (raw: vscode.TypeHierarchyItem[]) => raw.map(item)],
  'typeHierarchy/subtypes': [WORDS, at(0, 1), (raw: vscode.TypeHierarchyItem[]) => raw.map(item)],
  'workspace/symbol': [
    SHAPES,
    { query: 'Square' },
    (raw: vscode.SymbolInformation[]) =>
      raw.map(({ name, location: place }) => ({ name, location: location(place) })),
  ],
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

  for (const [method, [path, params, facts]] of Object.entries(CASES))
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
      const expected = facts(raw as never);
      assert.ok(JSON.stringify(expected).length > 2, 'VS Code answers with nothing');
      if (Array.isArray(expected)) assert.equal((result as unknown[]).length, expected.length);
      assert.partialDeepStrictEqual(result, expected);
    });

  it('leaves out closed files, and arguments of commands', async () => {
    const declared = await request('textDocument/declaration', { textDocument: { uri: WORDS }, ...at(0, 6) });
    assert.equal(declared.note, '1 more place is outside the workspace or closed to you.');
    const { result } = await request('textDocument/codeLens', { textDocument: { uri: WORDS } });
    assert.deepEqual(result, [{ ...WORD, command: { title: 'Show', command: 'show' } }]);
    await assert.rejects(
      request('textDocument/hover', { textDocument: { uri: '.env' }, ...at(0, 0) }),
      /closed/,
    );
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
