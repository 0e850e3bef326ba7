import assert from 'node:assert/strict';
import type { TreeDataProvider } from 'vscode';
import type { Row } from '../../../../src/ui/activity/items.ts';
import { Emitter } from '../../../fakes/emitter.ts';

const { showActivity } = await import('../../../../src/ui/activity/view.ts');
const { window, workspace } = await import('vscode');

describe('ui/activity/view', () => {
  after(() => {
    Reflect.deleteProperty(window, 'createTreeView');
    Reflect.deleteProperty(workspace, 'onDidGrantWorkspaceTrust');
  });

  it('draws only the rows of agents again when only calls change: clicks on the others would be lost', () => {
    const calls = new Emitter<void>();
    const runs: { id: number }[] = [];
    const debuggee = {
      number: 1,
      threads: { stopped: [] as object[] },
      agent: { agent: 'a' },
      root: { name: 'b' },
    };
    const debuggees: (typeof debuggee)[] = [];
    const quiet = { onDidChange: () => ({ dispose() {} }) };
    let provider = {} as TreeDataProvider<Row>;
    Object.assign(workspace, { onDidGrantWorkspaceTrust: quiet.onDidChange });
    Object.assign(window, {
      createTreeView(_: string, options: { treeDataProvider: typeof provider }) {
        provider = options.treeDataProvider;
        const onDidChangeVisibility = quiet.onDidChange;
        return {
          visible: true,
          dispose() {},
          onDidChangeVisibility,
          onDidChangeCheckboxState: onDidChangeVisibility,
        };
      },
    });
    showActivity({
      agents: {
        ...quiet,
        get runs() {
          return [...runs];
        },
        debuggees,
        all: [{ id: 1 }, { id: 2 }],
        onDidChangeCalls: calls.event,
      },
      changed: { ...quiet, list: () => [] },
      servers: { ...quiet, rows: () => [] },
      proposals: { ...quiet, open: [] },
      prompt: quiet,
      plans: quiet,
      http: quiet,
      server: { onDidChangeState: quiet.onDidChange },
    } as never);
    const fired: unknown[] = [];
    provider.onDidChangeTreeData?.((rows) => fired.push(rows));
    const drawn = () => provider.getChildren() as Row[];
    const change = () => {
      calls.fire();
      return fired.pop();
    };
    const rows = drawn();
    const kinds = rows.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['agent', 'agent']);
    assert.deepEqual(change(), rows);
    runs.push({ id: 7 });
    assert.equal(change(), undefined);
    const [, ...agents] = drawn();
    assert.deepEqual(change(), agents);
    runs.pop();
    assert.equal(change(), undefined);
    debuggees.push(debuggee);
    assert.equal(change(), undefined);
    const [row] = drawn();
    assert.equal(row?.kind, 'debuggee');
    debuggee.threads.stopped.push({});
    assert.equal(change(), undefined);
  });
});
