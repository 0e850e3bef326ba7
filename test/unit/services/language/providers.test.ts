import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CancelledError, UserError } from '../../../../src/core/errors.ts';
import { Providers } from '../../../../src/services/language/providers.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';

const REFERENCES = 'vscode.executeReferenceProvider';
const SYMBOLS = 'vscode.executeDocumentSymbolProvider';
const { signal } = new AbortController();

function setUp(languageId: string, patience = 1_000) {
  const fake = FakeVscode.create({ folders: [] });
  const document = fake.person.loads('/a.py', 'a = 1\n');
  if (languageId === 'python') fake.extensions.installs('python');
  Object.assign(document, { languageId });
  return { fake, providers: new Providers(fake.api, patience), document: document as never };
}

describe('services/language/providers', () => {
  it('waits for a server that is starting', async () => {
    const { fake, providers, document } = setUp('python');
    let asked = 0;
    fake.answers.set(SYMBOLS, () => (++asked < 3 ? undefined : [{}]));
    fake.answers.set(REFERENCES, () => (asked < 3 ? undefined : ['here']));
    assert.deepEqual(await providers.ask('references', document, signal), ['here']);
  });

  it('waits for a server even if VS Code answers itself', async () => {
    const { fake, providers, document } = setUp('python');
    let asked = 0;
    fake.answers.set(SYMBOLS, () => (++asked < 2 ? undefined : [{}]));
    fake.answers.set('vscode.executeFoldingRangeProvider', () => (asked < 2 ? ['indented'] : ['server']));
    assert.deepEqual(await providers.ask('folding ranges', document, signal), ['server']);
  });

  it('waits only so long, and says that the server may be starting', async () => {
    const { fake, providers, document } = setUp('python', 200);
    assert.deepEqual(await providers.ask('references', document, signal), []);
    assert.equal(fake.commandsRun.filter(({ command }) => command === SYMBOLS).length, 1);
    assert.match(providers.why('references', document), /may still be starting/);
  });

  it('says that no extension knows a language, without a wait', async () => {
    const { fake, providers, document } = setUp('plaintext', 1e9);
    assert.deepEqual(await providers.ask('references', document, signal), []);
    assert.equal(providers.why('references', document), 'No extension provides references for "plaintext".');
    assert.equal(fake.commandsRun.length, 1);
  });

  it('says that there are none once the server has answered', async () => {
    const { fake, providers, document } = setUp('python', 1e9);
    fake.answers.set(SYMBOLS, () => [{}]);
    await providers.ask('symbols', document, signal);
    assert.deepEqual(await providers.ask('references', document, signal), []);
    assert.match(providers.why('references', document), /^There are none, or no extension provides/);
  });

  it('gives up on a server that never answers', async () => {
    const { fake, providers, document } = setUp('plaintext');
    fake.answers.set(REFERENCES, () => new Promise(() => {}));
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const asked = providers.ask('references', document, signal);
      const failed = assert.rejects(asked, /did not give references within 60 s/);
      while (fake.commandsRun.length === 0) await setImmediate();
      mock.timers.tick(60_000);
      await failed;
    } finally {
      mock.timers.reset();
    }
  });

  it('ends with a cancellation, and with a server that fails', async () => {
    const { fake, providers, document } = setUp('plaintext');
    const call = new AbortController();
    fake.answers.set(REFERENCES, () => new Promise(() => call.abort()));
    await assert.rejects(providers.ask('references', document, call.signal), CancelledError);
    fake.answers.set(REFERENCES, () => {
      throw new Error('secret');
    });
    await assert.rejects(
      providers.ask('references', document, signal),
      (error: Error) => error instanceof UserError && !error.message.includes('secret'),
    );
  });
});
