import * as vscode from 'vscode';
import type { Controls } from '../controls.ts';
import { serversText, waitingText } from '../counts.ts';
import { changesRow, reviewRowsIn } from '../review/rows.ts';
import { itemOf, type Row, tooltipOf } from './items.ts';

/** The view of agents and their calls. The open question comes first, then the servers: calls can be many. */
export function showActivity(
  controls: Pick<Controls, 'agents' | 'prompt' | 'changed' | 'servers'>,
): vscode.Disposable {
  const { agents, prompt, changed, servers } = controls;
  const changes = new vscode.EventEmitter<void>();
  const provider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changes.event,
    getTreeItem: itemOf,
    getChildren: (row) =>
      row ? rowsIn(row, changed) : [...questions(prompt), ...servers.rows(), ...agents.all.map(agentRow)],
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
    if (view.visible) changes.fire();
  };
  const showWaiting = () => {
    const { waiting } = prompt;
    const { attention } = servers;
    const texts = [
      ...(waiting > 0 ? [waitingText(waiting)] : []),
      ...(attention > 0 ? [serversText(attention)] : []),
    ];
    view.badge = texts.length > 0 ? { value: waiting + attention, tooltip: texts.join(', ') } : undefined;
    refresh();
  };
  return vscode.Disposable.from(
    changes,
    view,
    view.onDidChangeVisibility(refresh),
    agents.onDidChange(refresh),
    changed.onDidChange(refresh),
    agents.onDidChangeCalls(refresh),
    prompt.onDidChange(showWaiting),
    servers.onDidChange(showWaiting),
    view.onDidChangeCheckboxState(async ({ items }) => {
      const { check } = await servers.get();
      for (const [row, state] of items)
        if (row.kind === 'hosting') await check(row, state === vscode.TreeItemCheckboxState.Checked);
    }),
  );
}

const questions = ({ question, waiting }: Controls['prompt']): Row[] =>
  question ? [{ kind: 'question', question, more: waiting - 1 }] : [];

const agentRow = (agent: Controls['agents']['all'][number]): Row => ({ kind: 'agent', agent });

function rowsIn(row: Row, changed: Controls['changed']): Row[] {
  switch (row.kind) {
    case 'agent':
      return [...changesRow(changed, row.agent.id), ...callsOf(row.agent)];
    case 'hosting':
      return row.children();
    case 'question':
    case 'call':
      return [];
    default:
      return reviewRowsIn(row);
  }
}

/** Newest first. */
const callsOf = (agent: Controls['agents']['all'][number]): Row[] =>
  agent.calls.map((call): Row => ({ kind: 'call', agent, call })).reverse();
