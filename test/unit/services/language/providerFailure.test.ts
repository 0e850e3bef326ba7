import assert from 'node:assert/strict';
import { ProviderFailure } from '../../../../src/services/language/providerFailure.ts';

/** Errors as servers and their clients give them. */
const ERRORS: Readonly<Record<string, readonly (string | { code: number })[]>> = {
  'not offered': [
    { code: -32601 },
    'method not found', // clangd
    'Unhandled method textDocument/prepareTypeHierarchy', // vscode-jsonrpc
    'JSON RPC method not found: "textDocument/prepareTypeHierarchy" not yet implemented', // gopls
    'Method Not Found: textDocument/prepareCallHierarchy', // pylsp
    'Unsupported request method: textDocument/prepareTypeHierarchy', // LSP4J
    'unknown request', // rust-analyzer
    "No method by the name 'textDocument/rename' is found.", // StreamJsonRpc
  ],
  // vscode-languageclient before 8, LSP
  starting: ['Language client is not ready yet', { code: -32002 }, 'Server not initialized'],
  stopped: [
    'Client is not running', // vscode-languageclient 8 and later; the following are of vscode-jsonrpc
    "Client got disposed and can't be restarted.",
    'Pending response rejected since connection got disposed',
    'Connection got disposed.',
    'Connection is closed.',
    'Cannot call write after a stream was destroyed',
    'write EPIPE',
    { code: -32096 },
    { code: -32097 },
  ],
  dropped: [
    'Canceled', // VS Code
    'content modified', // rust-analyzer
    'Request cancelled because the document was modified', // clangd
    'trying to get AST for non-added document', // clangd
    'context canceled', // gopls
    { code: -32800 },
    { code: -32801 },
    { code: -32802 },
  ],
  failed: ['Internal error.', 'no package metadata for file', 'Cannot read properties of undefined'],
};

describe('services/language/providerFailure', () => {
  it('takes errors of servers for what they say, by code or text', () => {
    for (const [kind, errors] of Object.entries(ERRORS))
      for (const error of errors) {
        const thrown = typeof error === 'string' ? new Error(error) : Object.assign(new Error('?'), error);
        assert.equal(new ProviderFailure('references', thrown).kind, kind, JSON.stringify(error));
      }
  });

  it('refers the user to the output only if the server failed', () => {
    const messageOf = (error: string) => new ProviderFailure('a type hierarchy', new Error(error)).message;
    assert.match(messageOf('Internal error.'), /look at its output/);
    assert.equal(messageOf('method not found'), 'The language server does not offer a type hierarchy.');
    assert.match(messageOf('Connection is closed.'), /has stopped .* ask the user to restart it\.$/);
    assert.match(messageOf('Language client is not ready yet'), /still starting .* Try again\.$/);
  });

  it('has what a server says several times once', () => {
    const conflict = 'renaming this func "Show" to "Square"\tconflicts with type in same block';
    const once = conflict.replace('\t', ' ');
    const other = [conflict, conflict, 'Other.'].join('\n');
    for (const [said, expected] of [
      [conflict.repeat(4), once],
      [other, `${once}\nOther.`],
      ['aaaa', 'aaaa'],
    ] as const)
      assert.equal(new ProviderFailure('a rename', new Error(said)).reason, expected);
  });
});
