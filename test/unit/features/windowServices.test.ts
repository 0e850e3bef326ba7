import assert from 'node:assert/strict';
import { windowServices } from '../../../src/features/windowServices.ts';
import { Reports } from '../../../src/services/language/reports.ts';
import { FakeConsent } from '../../fakes/consent.ts';
import { FakeVscode } from '../../fakes/vscode.ts';
import { silent } from '../log.ts';
import { CALL } from './window.ts';

describe('features/windowServices', () => {
  it('what is allowed for a session holds for the connection that takes it up again, and for no other', async () => {
    const fake = FakeVscode.create({ folders: [] });
    const consent = new FakeConsent();
    const windows = { list: async () => [] };
    const about = { id: () => '', extensionVersion: '0', windows, log: silent };
    const window = { vscode: fake.api, ...about, consent, reports: new Reports(fake.api) };
    const shared = windowServices(window);
    /** A connection with this key asks to edit. */
    const asks = (resume: string) => {
      const by = { asker: { agent: 'x' }, granted: shared.grants.begin(resume), denied: new Set<never>() };
      return shared.approvals.approve({ kind: 'edit', tool: 'edit_file', subject: 'a' }, by, CALL);
    };
    consent.answers.push({ allow: 'session' }, { deny: '' }, { deny: '' });
    await asks('first');
    await asks('first');
    for (const key of ['second', '']) await assert.rejects(asks(key), /denied/);
    assert.equal(consent.questions.length, 3);
    shared.dispose();
    assert.equal(fake.listeners, 0);
  });
});
