import assert from 'node:assert/strict';
import { grantsOf } from '../../../../src/access/consent/grants.ts';
import type { Grant } from '../../../../src/core/grants.ts';
import { Trust, type TrustStore } from '../../../../src/hosting/config/trust.ts';
import { consentStore, isCurrent, samplingStore } from '../../../../src/ui/approvals/store.ts';

function memento() {
  const kept = new Map<string, unknown>();
  const get = (key: string, otherwise?: unknown) => kept.get(key) ?? otherwise;
  return { get, update: async (key: string, value: unknown) => void kept.set(key, value) } as never;
}

describe('ui/approvals/store', () => {
  it('has nothing of a server whose approval is gone', async () => {
    const [state, global] = [memento(), memento()];
    const trust = new Trust(global as TrustStore, { isTrusted: true }, 'posix');
    const server = JSON.stringify(['file:///ws', 'db', 'user']);
    const launch = { type: 'stdio' as const, command: 'x', args: [], env: {} };
    const grantOf = (key: string): readonly Grant[] =>
      grantsOf(
        { kind: 'server', tool: 't', subject: 't', server: { key, name: 'db', tool: 't' } },
        { allow: 'session' },
      );
    const [always, sampling] = [consentStore(state, global), samplingStore(state, global)];
    const ofEditor = grantOf('vscode');
    await trust.approve(server, launch);
    const [key, given] = [trust.grantKey(server), grantOf(trust.grantKey(server))];
    await always.set(['edit', 'debug' as Grant, ...ofEditor, ...given]); // of an earlier version, too
    await sampling.set([key]);
    assert.deepEqual([always.get(), sampling.get()], [['edit', ...ofEditor, ...given], [key]]);
    for (const forget of [() => trust.approve(server, launch), () => trust.revoke(server)]) {
      await forget();
      assert.deepEqual([always.get(), sampling.get()], [['edit', ...ofEditor], []]);
      assert.deepEqual(
        given.map((grant) => isCurrent(grant, global)),
        [false],
      );
    }
  });
});
