import assert from 'node:assert/strict';
import { Shared } from '../../../src/features/context.ts';
import { FakeConsent } from '../../fakes/consent.ts';
import { FakeVscode } from '../../fakes/vscode.ts';
import { silent } from '../log.ts';

const EDIT = { kind: 'edit', tool: 'edit_file', summary: 'Edit a' } as const;

function create() {
  const fake = FakeVscode.create({ folders: [] });
  const consent = new FakeConsent();
  const window = { vscode: fake.api, id: () => '', extensionVersion: '0', log: silent, consent };
  const shared = new Shared(window);
  /** A connection with this key asks to edit. */
  const asks = (resume: string) =>
    shared.approvals.require(
      EDIT,
      { agent: () => 'same name', granted: shared.grantedTo(resume) },
      new AbortController().signal,
    );
  return { fake, consent, shared, asks };
}

describe('features/context', () => {
  it('what is allowed for a session holds for the connection that takes it up again, and for no other', async () => {
    const { consent, asks } = create();
    consent.answers.push({ allow: 'session' }, { deny: '' }, { deny: '' });
    await asks('first');
    await asks('first');
    for (const key of ['second', '']) await assert.rejects(asks(key), /denied/);
    assert.equal(consent.questions.length, 3);
  });

  it('a key is a name and nothing else', async () => {
    const { consent, asks } = create();
    consent.answers.push({ allow: 'session' }, ...Array.from({ length: 3 }, () => ({ deny: '' })));
    await asks('first');
    for (const key of ['__proto__', 'constructor', 'First']) await assert.rejects(asks(key), /denied/);
  });

  it('listens no more once disposed of', () => {
    const { fake, shared } = create();
    shared.dispose();
    assert.equal(fake.listeners, 0);
  });
});
