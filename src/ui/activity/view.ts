import * as vscode from 'vscode';
import type { Controls } from '../controls.ts';
import { waitingText } from '../counts.ts';
import { itemOf, type Row, tooltipOf } from './items.ts';

/** The view of agents and their calls. The open question comes first. */
export function showActivity({ agents, prompt }: Pick<Controls, 'agents' | 'prompt'>): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  const provider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changes.event,
    getTreeItem: itemOf,
    getChildren: (row) => (row ? callsOf(row) : [...questions(prompt), ...agents.all.map(agentRow)]),
    resolveTreeItem: (item, row) => {
      if (row.kind === 'call') item.tooltip = tooltipOf(row.call);
      return item;
    },
  };
  const view = vscode.window.createTreeView('workspaceMcp.agents', { treeDataProvider: provider });
  // A hidden view is not refreshed; it is rebuilt when it becomes visible.
  const refresh = () => {
    if (view.visible) changes.fire();
  };
  const showWaiting = () => {
    const value = prompt.waiting;
    view.badge = value > 0 ? { value, tooltip: waitingText(value) } : undefined;
    refresh();
  };
  return vscode.Disposable.from(
    changes,
    view,
    view.onDidChangeVisibility(refresh),
    agents.onDidChange(refresh),
    agents.onDidChangeCalls(refresh),
    prompt.onDidChange(showWaiting),
  );
}

const questions = ({ question, waiting }: Controls['prompt']): Row[] =>
  question ? [{ kind: 'question', question, more: waiting - 1 }] : [];

const agentRow = (agent: Controls['agents']['all'][number]): Row => ({ kind: 'agent', agent });

/** Newest first. */
const callsOf = (row: Row): Row[] =>
  row.kind === 'agent'
    ? row.agent.calls.map((call): Row => ({ kind: 'call', agent: row.agent, call })).reverse()
    : [];
