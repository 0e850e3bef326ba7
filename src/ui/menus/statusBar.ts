import * as vscode from 'vscode';
import type { Controls } from '../controls.ts';
import { filesText, waitingText } from '../counts.ts';
import { oneLine, quoted } from '../untrustedText.ts';

/** Milliseconds that the status bar names the first agent of a window. */
const NOTICE = 15_000;

/** Shows in the status bar whether the server runs, how many agents are connected, and whether a question is open. */
export function showStatus(controls: Controls): vscode.Disposable {
  const { server, agents, prompt, changed } = controls;
  const item = vscode.window.createStatusBarItem('workspaceMcp.status', vscode.StatusBarAlignment.Right);
  item.name = 'Workspace MCP';
  item.command = 'workspaceMcp.showServerMenu';
  const show = () => {
    const { text, tooltip: state, color } = statusOf(controls);
    const files = changed.list().length;
    const tooltip = [state, trustText(), files > 0 ? changedText(files) : ''].filter(Boolean).join(' ');
    item.text = files > 0 ? `${text} $(diff) ${files}` : text;
    item.tooltip = tooltip;
    item.backgroundColor = color ? new vscode.ThemeColor(`statusBarItem.${color}Background`) : undefined;
    item.accessibilityInformation = { label: tooltip };
  };
  show();
  item.show();
  const first = agents.onDidChange(() => {
    const [agent] = agents.all;
    if (!agent) return;
    first.dispose();
    const text = vscode.l10n.t('{0} is connected to this window', oneLine(agent.name, 40));
    vscode.window.setStatusBarMessage(`$(plug) ${text}`, NOTICE);
  });
  return vscode.Disposable.from(
    item,
    first,
    server.onDidChangeState(show),
    agents.onDidChange(show),
    prompt.onDidChange(show),
    changed.onDidChange(show),
    vscode.workspace.onDidGrantWorkspaceTrust(show),
  );
}

const changedText = (files: number): string =>
  vscode.l10n.t('Changed by agents, to review: {0}.', filesText(files));

/** Says that agents may only read; empty if the workspace is trusted. */
export const trustText = (): string =>
  vscode.workspace.isTrusted ? '' : vscode.l10n.t('This workspace is not trusted: agents may only read.');

interface Status {
  text: string;
  tooltip: string;
  color?: 'error' | 'warning';
}

/** The state of the server: a short text for the status bar, and a sentence for the tooltip. */
export function statusOf(controls: Controls): Status {
  const { l10n } = vscode;
  const { server } = controls;
  switch (server.state) {
    case 'running':
      return running(controls);
    case 'starting':
      return { text: '$(loading~spin) MCP', tooltip: l10n.t('Workspace MCP is starting.') };
    case 'failed':
      return {
        text: '$(error) MCP',
        tooltip: l10n.t('Workspace MCP could not start: {0}', server.error?.message ?? ''),
        color: 'error',
      };
    default:
      return {
        text: '$(circle-slash) MCP',
        tooltip: l10n.t('Workspace MCP is stopped: agents cannot reach this window.'),
      };
  }
}

function running({ agents: { all: agents }, prompt: { question, waiting } }: Controls): Status {
  const { l10n } = vscode;
  if (agents.length === 0)
    return { text: '$(plug) MCP', tooltip: l10n.t('Workspace MCP is running. No agent is connected.') };
  if (question)
    return {
      text: `$(question) MCP ${agents.length}`,
      tooltip: waitingText(waiting),
      color: 'warning',
    };
  const names = agents.map(({ name }) => quoted(name, 40)).join(', ');
  return {
    text: `$(plug) MCP ${agents.length}`,
    tooltip: l10n.t('Workspace MCP is running. Connected agents: {0}', names),
  };
}
