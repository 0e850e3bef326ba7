import * as vscode from 'vscode';
import { isDoorName } from '../../core/lsp/door.ts';
import { type Controls, onAnyChange } from '../controls.ts';
import { filesText, oneLine, quoted, serversText, waitingText } from '../messages.ts';

/** Milliseconds that the status bar names the first agent of a window. */
const NOTICE = 15_000;

/** Shows in the status bar whether the server runs, how many agents are connected, and whether a question is open. */
export function showStatus(controls: Controls): vscode.Disposable {
  const { agents, changed } = controls;
  const item = vscode.window.createStatusBarItem('workspaceMcp.status', vscode.StatusBarAlignment.Right);
  item.name = 'Workspace MCP';
  item.command = 'workspaceMcp.showServerMenu';
  const show = () => {
    const { text, color } = statusOf(controls);
    const files = changed.list().length;
    const tooltip = windowStateText(controls);
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
  return vscode.Disposable.from(item, first, onAnyChange(controls, show));
}

/** What the numbers in the status bar are, in sentences. */
export function windowStateText(controls: Controls): string {
  const files = controls.changed.list().length;
  const { length: needing } = controls.servers.needing;
  const changed = files > 0 && vscode.l10n.t('Changed by agents, to review: {0}.', filesText(files));
  const texts = [statusOf(controls).tooltip, trustText(), changed, needing > 0 && `${serversText(needing)}.`];
  return texts.filter(Boolean).join(' ');
}

/** Says that agents may only read; empty if the workspace is trusted. */
export const trustText = (): string =>
  vscode.workspace.isTrusted ? '' : vscode.l10n.t('This workspace is not trusted: agents may only read.');

interface Status {
  text: string;
  tooltip: string;
  color?: 'error' | 'warning';
}

/** The state of the server: a short text for the status bar, and a sentence for the tooltip. */
export function statusOf({ server, agents: { all: agents }, prompt, proposals }: Controls): Status {
  const { l10n } = vscode;
  const { state, error } = server;
  if (state === 'starting')
    return { text: '$(loading~spin) MCP', tooltip: l10n.t('Workspace MCP is starting.') };
  if (state === 'failed') {
    const tooltip = l10n.t('Workspace MCP could not start: {0}', error?.message ?? '');
    return { text: '$(error) MCP', tooltip, color: 'error' };
  }
  if (state !== 'running') {
    const tooltip = l10n.t('Workspace MCP is stopped until you start it: agents cannot reach this window.');
    return { text: '$(circle-slash) MCP', tooltip };
  }
  if (agents.length === 0)
    return { text: '$(plug) MCP', tooltip: l10n.t('Workspace MCP is running. No agent is connected.') };
  const names = l10n.t('Connected agents: {0}.', agents.map(({ name }) => quoted(name, 40)).join(', '));
  const waiting = prompt.waiting + proposals.open.length;
  // An agent may have a client for its language servers as well.
  const own = agents.filter(({ name }) => !isDoorName(name));
  const text = `MCP ${own.length || agents.length}`;
  return waiting === 0
    ? { text: `$(plug) ${text}`, tooltip: `${l10n.t('Workspace MCP is running.')} ${names}` }
    : { text: `$(question) ${text}`, tooltip: `${waitingText(waiting)}. ${names}`, color: 'warning' };
}
