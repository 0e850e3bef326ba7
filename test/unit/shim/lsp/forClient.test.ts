import assert from 'node:assert/strict';
import { forClient } from '../../../../src/shim/lsp/forClient.ts';

const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
const name = { start: { line: 0, character: 6 }, end: { line: 0, character: 7 } };
const PARAMS = { textDocument: { uri: 'file:///a' } };

const link = { targetUri: 'file:///b', targetRange: range, targetSelectionRange: name };
const inner = { name: 'm', kind: 6, range: name, selectionRange: name };
const symbol = { name: 'A', kind: 5, range, selectionRange: name, children: [inner] };
const item = { label: 'x', textEdit: { newText: 'x', insert: name, replace: range } };

const CASES: [method: string, name: string, support: object, whole: unknown, plain: unknown][] = [
  [
    'textDocument/definition',
    'definition',
    { linkSupport: true },
    [link],
    [{ uri: 'file:///b', range: name }],
  ],
  [
    'textDocument/documentSymbol',
    'documentSymbol',
    { hierarchicalDocumentSymbolSupport: true },
    [symbol],
    [
      { name: 'A', kind: 5, location: { uri: 'file:///a', range } },
      { name: 'm', kind: 6, location: { uri: 'file:///a', range: name }, containerName: 'A' },
    ],
  ],
  [
    'textDocument/completion',
    'completion',
    { completionItem: { insertReplaceSupport: true } },
    { isIncomplete: false, items: [item, { label: 'y' }] },
    {
      isIncomplete: false,
      items: [{ label: 'x', textEdit: { newText: 'x', range: name } }, { label: 'y' }],
    },
  ],
];

describe('shim/lsp/forClient', () => {
  for (const [method, name, support, whole, plain] of CASES)
    it(`${method} is whole for a client that takes it, else in the plain form`, () => {
      assert.deepEqual(forClient(whole, method, PARAMS, { textDocument: { [name]: support } }), whole);
      assert.deepEqual(forClient(whole, method, PARAMS, { textDocument: { [name]: {} } }), plain);
    });
});
