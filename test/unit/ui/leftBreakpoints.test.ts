import assert from 'node:assert/strict';
import { agentBreakpoints } from '../../../src/services/debug/breakpoints.ts';
import { removeLeftBreakpoints } from '../../../src/ui/approvals/store.ts';
import { FakeVscode } from '../../fakes/vscode.ts';

describe('ui/leftBreakpoints: breakpoints', () => {
  it('of agents are removed after a reload, also if VS Code tells of them later', () => {
    const { api, debug } = FakeVscode.create({ folders: [] });
    let kept: readonly string[] = [];
    const store = {
      get: () => kept,
      set: async (ids: readonly string[]) => {
        kept = ids;
      },
    };
    const breakpoints = agentBreakpoints(api, store);
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
