import assert from 'node:assert/strict';
import { capabilitiesFor, registrationsFor } from '../../../../src/shim/lsp/capabilities.ts';

const TOY = { id: 'toy', extensions: ['.toy'] };

/** What is declared at the start, and what is registered then. */
function offered(textDocument: object): { fixed: boolean; registered: boolean } {
  const client = { textDocument };
  const registered = registrationsFor(client, [TOY]).map(({ method }) => method);
  return {
    fixed: 'diagnosticProvider' in capabilitiesFor(client),
    registered: registered.includes('textDocument/diagnostic'),
  };
}

describe('shim/lsp/capabilities', () => {
  it('offers no pull of problems to a client that problems are pushed to', () => {
    const diagnostic = { dynamicRegistration: true };
    const publishDiagnostics = { versionSupport: false };
    assert.deepEqual(offered({}), { fixed: true, registered: false });
    assert.deepEqual(offered({ diagnostic }), { fixed: false, registered: true });
    // As opencode does, which would tell a problem that it has pulled long after it is gone.
    for (const both of [{ publishDiagnostics }, { publishDiagnostics, diagnostic }])
      assert.deepEqual(offered(both), { fixed: false, registered: false });
  });
});
