import * as vscode from 'vscode';
import type { ActivityCall } from '../../server/activity.ts';
import type { Agent } from '../../server/agent.ts';
import { descriptionOf, nameOf, STATE_ICONS } from '../activity/callText.ts';
import { copyCall } from '../activity/commands.ts';
import { titleOf } from '../approvals/kinds.ts';
import type { Controls } from '../controls.ts';
import { callsText, filesText } from '../counts.ts';
import { address, folderAddress } from '../http/address.ts';
import { oneLine } from '../untrustedText.ts';
import { type Action, type ActionButton, section, showActions } from './quickPickActions.ts';
import { statusOf, trustText } from './statusBar.ts';

/** How many of the latest calls of all agents are shown. */
const RECENT = 5;

const showAgents = () => vscode.commands.executeCommand('workspaceMcp.listAgents');

/** Shows the server in one list: the open question, the agents, their latest calls, the commands. */
export function showServerMenu(controls: Controls): void {
  const { agents, prompt, server, changed, http } = controls;
  showActions({
    title: 'Workspace MCP',
    placeholder: () => statusOf(controls).tooltip,
    actions: () => [
      ...trust(),
      ...section(vscode.l10n.t('Waiting for your answer'), questions(prompt)),
      ...section(vscode.l10n.t('Agents'), agents.all.map(agentAction)),
      ...section('HTTP', addresses(controls)),
      ...section(vscode.l10n.t('Changes'), changes(controls)),
      ...section(vscode.l10n.t('Recent calls'), recentCalls(agents.all)),
      ...section(vscode.l10n.t('Commands'), commands(controls)),
    ],
    onDidChange: (listener) =>
      vscode.Disposable.from(
        agents.onDidChange(listener),
        prompt.onDidChange(listener),
        http.onDidChange(listener),
        changed.onDidChange(() => listener(undefined)),
        server.onDidChangeState(() => listener(undefined)),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
      ),
  });
}

/** Says that the workspace is not trusted, and opens the editor for workspace trust. */
function trust(): Action[] {
  const text = trustText();
  if (!text) return [];
  return [
    {
      label: `$(workspace-untrusted) ${text}`,
      run: () => vscode.commands.executeCommand('workbench.trust.manage'),
    },
  ];
}

function questions(prompt: Controls['prompt']): Action[] {
  const { question, waiting } = prompt;
  if (!question) return [];
  const more = waiting > 1 ? { description: vscode.l10n.t('{0} more waiting', waiting - 1) } : {};
  return [{ label: `$(question) ${titleOf(question)}`, ...more, run: () => prompt.choose() }];
}

function changes({ changed }: Controls): Action[] {
  const { length: count } = changed.list();
  if (count === 0) return [];
  return [
    {
      label: `$(diff-multiple) ${vscode.l10n.t('Review changes of agents ({0})', filesText(count))}`,
      run: () => vscode.commands.executeCommand('workspaceMcp.reviewAgentChanges'),
    },
  ];
}

/** The address of each folder, to copy; or why there is none. */
function addresses({ http }: Controls): Action[] {
  const { port, error } = http.current ?? {};
  const { l10n, env, workspace } = vscode;
  if (error) return [{ label: `$(error) ${oneLine(error.message)}` }];
  if (port === undefined) return [];
  const all = (workspace.workspaceFolders ?? []).map(({ name }) => folderAddress(port, name));
  return [address(port), ...all].map((url) => ({
    label: `$(globe) ${oneLine(url)}`,
    description: l10n.t('copy'),
    run: () => env.clipboard.writeText(url),
  }));
}

function agentAction(agent: Agent): Action {
  const { l10n, env } = vscode;
  const { name, version, cwd, connectedAt, callCount } = agent;
  const since = l10n.t('since {0}', connectedAt.toLocaleTimeString(env.language));
  const disconnect = {
    iconPath: new vscode.ThemeIcon('debug-disconnect'),
    tooltip: l10n.t('Disconnect'),
    run: () => agent.disconnect(),
  };
  return {
    label: `$(plug) ${oneLine(`${name} ${version ?? ''}`.trim(), 80)}`,
    description: `${since} · ${callsText(callCount)}`,
    ...(cwd && { detail: oneLine(cwd) }),
    run: showAgents,
    buttons: [disconnect],
  };
}

function recentCalls(agents: readonly Agent[]): Action[] {
  return agents
    .flatMap((agent) => agent.calls.map((call) => ({ agent, call })))
    .sort((a, b) => b.call.startedAt - a.call.startedAt)
    .slice(0, RECENT)
    .map(({ agent, call }) => ({
      label: `$(${STATE_ICONS[call.state]}) ${nameOf(call)}`,
      description: descriptionOf(call),
      buttons: callButtons(agent, call),
      run: showAgents,
    }));
}

function callButtons(agent: Agent, call: ActivityCall): ActionButton[] {
  const { l10n, ThemeIcon } = vscode;
  const copy = {
    iconPath: new ThemeIcon('copy'),
    tooltip: l10n.t('Copy as JSON-RPC'),
    run: () => copyCall(call),
  };
  const cancel = {
    iconPath: new ThemeIcon('debug-stop'),
    tooltip: l10n.t('Cancel'),
    run: () => agent.cancel(call),
  };
  return call.state === 'running' ? [cancel, copy] : [copy];
}

/** VS Code replaces a title with an object if it is translated. */
interface Contributed {
  command: string;
  title: string | { value: string };
}

/** The commands that can run now, with the titles of the command palette. */
function commands({ server: { state }, agents, extension }: Controls): Action[] {
  const offered: Record<string, boolean> = {
    startServer: state === 'stopped' || state === 'failed',
    restartServer: state === 'running',
    stopServer: state === 'running',
    listAgents: agents.all.length > 0,
    followAgent: agents.all.length > 0,
    manageApprovals: true,
    connectAgent: true,
    removeFromAgents: true,
    copyAgentConfiguration: true,
    showWalkthrough: true,
    explainAccess: true,
    runDoctor: true,
    showLog: true,
  };
  return (extension.packageJSON.contributes.commands as Contributed[])
    .filter(({ command }) => offered[command.replace('workspaceMcp.', '')])
    .map(({ command, title }) => ({
      label: typeof title === 'string' ? title : title.value,
      run: () => vscode.commands.executeCommand(command),
    }));
}
