import * as vscode from 'vscode';
import type { Agent } from '../socket/session.ts';
import type { WindowServer } from '../socket/windowServer.ts';

/** Shows in the status bar whether the server runs and how many agents are connected. */
export function showStatus(
  server: WindowServer,
  onDidChangeAgents: vscode.Event<readonly Agent[]>,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('workspaceMcp.status', vscode.StatusBarAlignment.Right);
  item.name = 'Workspace MCP';
  item.command = 'workspaceMcp.showLog';
  let agents: readonly Agent[] = [];
  const show = () => {
    const { text, tooltip, isProblem } = describe(server, agents);
    item.text = text;
    item.tooltip = tooltip;
    item.backgroundColor = isProblem ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.accessibilityInformation = { label: tooltip };
    void vscode.commands.executeCommand('setContext', 'workspaceMcp.state', server.state);
  };
  show();
  item.show();
  return vscode.Disposable.from(
    item,
    server.onDidChangeState(show),
    onDidChangeAgents((present) => {
      agents = present;
      show();
    }),
  );
}

interface Status {
  text: string;
  tooltip: string;
  isProblem?: boolean;
}

function describe(server: WindowServer, agents: readonly Agent[]): Status {
  const { l10n } = vscode;
  switch (server.state) {
    case 'running':
      return running(agents);
    case 'starting':
      return { text: '$(loading~spin) MCP', tooltip: l10n.t('Workspace MCP is starting.') };
    case 'failed':
      return {
        text: '$(error) MCP',
        tooltip: l10n.t('Workspace MCP could not start: {0}', server.error?.message ?? ''),
        isProblem: true,
      };
    default:
      return {
        text: '$(circle-slash) MCP',
        tooltip: l10n.t('Workspace MCP is stopped: agents cannot reach this window.'),
      };
  }
}

function running(agents: readonly Agent[]): Status {
  const { l10n } = vscode;
  if (agents.length === 0)
    return { text: '$(plug) MCP', tooltip: l10n.t('Workspace MCP is running. No agent is connected.') };
  const names = agents.map(({ name }) => name).join(', ');
  return {
    text: `$(plug) MCP ${agents.length}`,
    tooltip: l10n.t('Workspace MCP is running. Connected agents: {0}', names),
  };
}
