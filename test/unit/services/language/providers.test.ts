import assert from 'node:assert/strict';
import { CancelledError, UserError } from '../../../../src/core/errors.ts';
import { Providers } from '../../../../src/services/language/providers.ts';
import { timeout } from '../../../../src/util/clock.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';

const REFERENCES = 'vscode.executeReferenceProvider';
const SYMBOLS = 'vscode.executeDocumentSymbolProvider';
const { signal } = new AbortController();

function setUp(languageId: string) {
  const fake = FakeVscode.create({ folders: [] });
  const document = fake.person.loads('/a.py', 'a = 1\n');
  if (languageId === 'python') fake.extensions.installs('python');
  Object.assign(document, { languageId });
  return { fake, providers: new Providers(fake.api), document: document as never };
}

describe('services/language/providers', () => {
  const clock = holdClock();

  it('waits for a server that is starting, though VS Code answers by itself', async () => {
    const { fake, providers, document } = setUp('python');
    let asked = 0;
    fake.answers.set(SYMBOLS, () => (++asked < 3 ? undefined : [{}]));
    fake.answers.set('vscode.executeFoldingRangeProvider', () => (asked < 3 ? ['early'] : ['of the server']));
    assert.deepEqual(await clock.settle(providers.ask('folding ranges', document, signal)), [
      'of the server',
    ]);
  });

  it('waits only so long, the next time less, and says that the server may be starting', async () => {
    const { providers, document } = setUp('python');
    for (const patience of [15_000, 1_000]) {
      const start = clock.now();
      assert.deepEqual(await clock.settle(providers.ask('references', document, signal)), []);
      assert.equal(clock.now() - start, patience);
    }
    assert.match(providers.why('references', document), /may still be starting/);
  });

  it('counts the time from the first question, though its wait was cancelled', async () => {
    const { providers, document } = setUp('python');
    const first = assert.rejects(providers.ask('symbols', document, timeout(2_000)), CancelledError);
    await clock.settle(first, 2_000);
    await clock.pass(15_000);
    const start = clock.now();
    assert.deepEqual(await clock.settle(providers.ask('symbols', document, signal)), []);
    assert.equal(clock.now() - start, 1_000);
  });

  it('ends the wait for one document once another of the language has an answer', async () => {
    const { fake, providers, document } = setUp('python');
    const other = Object.assign(fake.person.loads('/b.py', 'b = 1\n'), { languageId: 'python' });
    let asked = 0;
    const start = clock.now();
    fake.answers.set(SYMBOLS, (uri) => (`${uri}` === `${other.uri}` && ++asked > 2 ? [{}] : []));
    const all = [document, other].map((one) => providers.ask('symbols', one as never, signal));
    assert.deepEqual(await clock.settle(Promise.all(all)), [[], [{}]]);
    assert.ok(clock.now() - start < 15_000);
  });

  it('says that no extension knows a language, without a wait, or that there are none once the server has answered', async () => {
    const { fake, providers, document } = setUp('plaintext');
    assert.deepEqual(await providers.ask('references', document, signal), []);
    assert.equal(providers.why('references', document), 'No extension provides references for "plaintext".');
    assert.equal(fake.commandsRun.length, 1);
    const python = setUp('python');
    python.fake.answers.set(SYMBOLS, () => [{}]);
    await python.providers.ask('symbols', python.document, signal);
    assert.deepEqual(await python.providers.ask('references', python.document, signal), []);
    const told = python.providers.why('references', python.document);
    assert.match(told, /^There are none, or no extension provides/);
  });

  it('gives up on a server that never answers, and ends with a cancellation, and with a server that fails', async () => {
    const { fake, providers, document } = setUp('plaintext');
    fake.answers.set(REFERENCES, () => new Promise(() => {}));
    const asking = clock.settle(providers.ask('references', document, signal));
    await assert.rejects(asking, /did not give references within 60 s/);
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

  it('tells what a server has shown that it offers, or not, and unlearns it', async () => {
    const { fake, providers, document } = setUp('python');
    const HIERARCHY = 'vscode.prepareTypeHierarchy';
    const asked = () => providers.ask('a type hierarchy', document, signal);
    const why = () => providers.why('a type hierarchy', document);
    fake.answers.set(SYMBOLS, () => [{}]);
    await clock.settle(asked());
    assert.match(why(), /^There are none, or no extension provides a type hierarchy/);
    providers.missed('a type hierarchy', document);
    assert.equal(why(), 'The language server for "python" seems not to offer a type hierarchy.');
    fake.answers.set(HIERARCHY, () => [{}]);
    await clock.settle(asked());
    providers.missed('a type hierarchy', document);
    assert.equal(why(), 'The language server reports none.');
    fake.answers.set(HIERARCHY, () => {
      throw new Error('Unhandled method textDocument/prepareTypeHierarchy');
    });
    assert.deepEqual(await clock.settle(asked()), []);
    assert.equal(why(), 'The language server for "python" does not offer a type hierarchy.');
  });

  it('takes an edit without changes for none', async () => {
    const { fake, providers, document } = setUp('python');
    fake.answers.set(SYMBOLS, () => [{}]);
    fake.answers.set('vscode.executeDocumentRenameProvider', () => ({ size: 0 }));
    await clock.settle(providers.value('a rename', document, signal, []));
    providers.missed('a rename', document);
    const shown = providers.why('a rename', document);
    assert.equal(shown, 'The language server for "python" seems not to offer a rename.');
  });

  it('says that a server has stopped that gives no symbols of a text that had some, and waits for the next', async () => {
    const { fake, providers, document } = setUp('python');
    fake.answers.set(SYMBOLS, () => [{}]);
    await providers.ask('symbols', document, signal);
    await clock.pass(5_000);
    fake.answers.set(SYMBOLS, () => []);
    const other = Object.assign(fake.person.loads('/b.py', ''), { languageId: 'python' }) as never;
    const asked = clock.settle(providers.ask('references', other, signal));
    await assert.rejects(asked, /no longer answers: it may have stopped/);
    let count = 0;
    fake.answers.set(SYMBOLS, () => (++count > 2 ? [{}] : []));
    fake.answers.set(REFERENCES, () => (count > 2 ? ['found'] : []));
    assert.deepEqual(await clock.settle(providers.ask('references', other, signal)), ['found']);
  });

  it('takes no answer about a text that has changed for a sign of a stop', async () => {
    const { fake, providers, document } = setUp('python');
    fake.answers.set(SYMBOLS, () => [{}]);
    await providers.ask('symbols', document, signal);
    Object.assign(document, { version: 2 });
    fake.answers.set(SYMBOLS, () => []);
    assert.deepEqual(await clock.settle(providers.ask('symbols', document, signal)), []);
    assert.match(providers.why('symbols', document), /reports none/);
  });

  it('waits for a server that is not ready, and sends a dropped request once more', async () => {
    const { fake, providers, document } = setUp('python');
    const errors = ['Language client is not ready yet', 'content modified'];
    fake.answers.set(SYMBOLS, () => [{}]);
    fake.answers.set(REFERENCES, () => {
      const error = errors.shift();
      if (error) throw new Error(error);
      return ['found'];
    });
    assert.deepEqual(await clock.settle(providers.ask('references', document, signal)), ['found']);
    fake.answers.set(REFERENCES, () => {
      throw new Error('content modified');
    });
    await assert.rejects(clock.settle(providers.ask('references', document, signal)), /dropped the request/);
  });

  it('says for a while that a server may be indexing, if its extension was just started', async () => {
    const { fake, providers, document } = setUp('python');
    Object.assign(fake.extensions.all.at(-1) ?? {}, { isActive: false });
    fake.answers.set(SYMBOLS, () => [{}]);
    await providers.ask('references', document, signal);
    assert.match(providers.why('references', document), /may still be indexing\. Try again/);
    await clock.pass(60_000);
    const other = Object.assign(fake.person.loads('/b.py', ''), { languageId: 'python' }) as never;
    await providers.ask('references', other, signal); // the extension still does not run: not trusted, or failed
    assert.match(providers.why('references', other), /^There are none/);
  });

  it('says that there are none of what a server offers only once it has indexed', async () => {
    const { fake, providers, document } = setUp('python');
    Object.assign(fake.extensions.all.at(-1) ?? {}, { isActive: false });
    fake.answers.set(SYMBOLS, () => [{}]);
    fake.answers.set(REFERENCES, () => ['found']);
    await providers.ask('references', document, signal);
    assert.match(providers.why('references', document), /may still be indexing/);
    await clock.pass(60_000);
    assert.equal(providers.why('references', document), 'The language server reports none.');
  });
});
