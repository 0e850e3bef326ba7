import assert from 'node:assert/strict';
import { grantsOf } from '../../../../src/access/consent/grants.ts';
import { type Grant, samplingGrant } from '../../../../src/core/grants.ts';
import { Trust, type TrustStore } from '../../../../src/hosting/config/trust.ts';
import { AgentBreakpoints } from '../../../../src/services/debug/breakpoints.ts';
import { consentStore, isCurrent, removeLeftBreakpoints } from '../../../../src/ui/approvals/store.ts';
import { memento } from '../../../fakes/stores.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';

describe('ui/approvals/store', () => {
  it('has nothing of a server whose approval is gone', async () => {
    const [state, global] = [memento(), memento()];
    const trust = new Trust(global as TrustStore, { isTrusted: true }, 'posix');
    const server = JSON.stringify(['file:///ws', 'db', 'user']);
    const launch = { type: 'stdio' as const, command: 'x', args: [], env: {} };
    const grantOf = (key: string): readonly Grant[] => [
      samplingGrant({ key, name: 'db' }),
      ...grantsOf(
        { kind: 'server', tool: 't', subject: 't', server: { key, name: 'db', tool: 't' } },
        { allow: 'session' },
      ),
    ];
    const always = consentStore(state, global);
    const ofEditor = grantOf('vscode');
    await trust.record(server, launch);
    const given = grantOf(trust.grantKey(server));
    await always.set(['edit', 'debug' as Grant, ...ofEditor, ...given]); // of an earlier version, too
    assert.deepEqual(always.get(), ['edit', ...ofEditor, ...given]);
    for (const forget of [() => trust.record(server, launch), () => trust.revoke(server)]) {
      await forget();
      assert.deepEqual(always.get(), ['edit', ...ofEditor]);
      const shown = given.map((grant) => isCurrent(grant, global));
      assert.deepEqual(shown, [false, false]);
    }
  });
});

describe('ui/approvals/store: breakpoints', () => {
  it('of agents are removed after a reload, also if VS Code tells of them later', () => {
    const { api, debug } = FakeVscode.create({ folders: [] });
    let kept: readonly string[] = [];
    const store = {
      get: () => kept,
      set: async (ids: readonly string[]) => {
        kept = ids;
      },
    };
    const breakpoints = new AgentBreakpoints(api, store);
    const [first, second, own] = ['f', 'g', 'own'].map((name) => new api.FunctionBreakpoint(name));
    for (const one of [first, second]) breakpoints.add(one as never, { id: 1, agent: 'agent' });
    api.debug.addBreakpoints([own as never]);
    debug.breakpoints.splice(1, 1); // as if VS Code did not know it yet
    const left = removeLeftBreakpoints(api, store);
    debug.restores([second as never]);
    left?.dispose();
    assert.deepEqual([debug.breakpoints, kept], [[own], []]);
    assert.equal(removeLeftBreakpoints(api, store), undefined);
  });
});
