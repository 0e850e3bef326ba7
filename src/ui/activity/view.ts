import * as vscode from 'vscode';
import { type Controls, onAnyChange } from '../controls.ts';
import { serversText, waitingText } from '../messages.ts';
import { changesRow, goneRows, type ReviewRow, reviewPlace, reviewRowsIn } from '../review/rows.ts';
import { callsOf, itemOf, type Row, tooltipOf } from './items.ts';

/** The view of agents and their calls. The open question comes first, then the servers: calls can be many. */
export function showActivity(controls: Controls): vscode.Disposable {
  const { agents, prompt, proposals, changed, servers } = controls;
  const changes = new vscode.EventEmitter<Row[] | undefined>();
  let runs = '';
  let agentRows: Row[] = [];
  const roots = (): Row[] => {
    runs = runsOf(agents);
    agentRows = agents.all.map((agent): Row => ({ kind: 'agent', agent }));
    return [
      ...questions(prompt),
      ...proposals.open.map((proposal): Row => ({ kind: 'proposal', proposal })),
      ...agents.debuggees.map((debuggee): Row => ({ kind: 'debuggee', debuggee })),
      ...agents.runs.map((run): Row => ({ kind: 'run', run })),
      ...servers.rows(),
      ...agentRows,
      ...goneRows(changed, new Set(agents.all.map(({ id }) => id))),
    ];
  };
  const provider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changes.event,
    getTreeItem: itemOf,
    getChildren: (row) => (row ? rowsIn(row, changed) : roots()),
    resolveTreeItem: (item, row) => {
      if (row.kind === 'call') item.tooltip = tooltipOf(row.call);
      return item;
    },
  };
  const view = vscode.window.createTreeView('workspaceMcp.agents', {
    treeDataProvider: provider,
    manageCheckboxStateManually: true,
  });
  // A hidden view is not refreshed; it is rebuilt when it becomes visible.
  const refresh = () => {
    if (view.visible) changes.fire(undefined);
  };
  /** Only the rows of agents, if no run has come or gone: VS Code drops clicks on rows that it is asking for again. */
  const refreshCalls = () => {
    if (view.visible) changes.fire(runs === runsOf(agents) ? agentRows : undefined);
  };
  const showWaiting = () => {
    const waiting = prompt.waiting + proposals.open.length;
    const { length: needing } = servers.needing;
    const texts = [waiting > 0 && waitingText(waiting), needing > 0 && serversText(needing)].filter(Boolean);
    view.badge = texts.length > 0 ? { value: waiting + needing, tooltip: texts.join(', ') } : undefined;
    refresh();
  };
  return vscode.Disposable.from(
    changes,
    view,
    view.onDidChangeVisibility(refresh),
    agents.onDidChangeCalls(refreshCalls),
    onAnyChange(controls, showWaiting),
    view.onDidChangeCheckboxState(async ({ items }) => {
      const { check } = await servers.get();
      for (const [row, state] of items)
        if (row.kind === 'hosting') await check(row, state === vscode.TreeItemCheckboxState.Checked);
    }),
  );
}

/** What is seen of runs and debug sessions, in a text. */
const runsOf = ({ runs, debuggees }: Controls['agents']): string =>
  [
    ...runs.map(({ id }) => id),
    ...debuggees.map((one) => `${one.number} ${one.threads.stopped.length > 0}`),
  ].join();

const questions = ({ question, waiting }: Controls['prompt']): Row[] =>
  question ? [{ kind: 'question', question, more: waiting - 1 }] : [];

function rowsIn(row: Row, changed: Controls['changed']): Row[] {
  if (row.kind === 'agent') return [...changesRow(changed, row.agent.id), ...callsOf(row.agent)];
  if (row.kind === 'hosting') return row.children?.() ?? [];
  if (row.kind === 'calls') return row.calls.map((call) => ({ kind: 'call', agent: row.agent, call }));
  return reviewPlace(row) ? reviewRowsIn(row as ReviewRow) : [];
}
