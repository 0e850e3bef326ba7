import * as vscode from 'vscode';
import type { Proposal } from '../../access/consent/types.ts';
import { isDoorName } from '../../core/lsp/door.ts';
import type { Hosted } from '../../hosting/index.ts';
import type { ActivityCall, Agent } from '../../server/agent.ts';
import { CALL_ICONS, callDescription, callName, copyCall } from '../activity/callText.ts';
import { questionTitle } from '../approvals/questionText.ts';
import { type Controls, onAnyChange } from '../controls.ts';
import { serverDescription } from '../hosting/rows.ts';
import type { ServersLater } from '../hosting/serversLater.ts';
import { address, folderAddress } from '../http/httpService.ts';
import { callsText, filesText, oneLine } from '../messages.ts';
import { type Proposals, proposalTitle } from '../proposals/proposals.ts';
import {
  type ActionButton,
  actionButton,
  type MenuAction,
  runs,
  section,
  showActions,
} from './quickPickActions.ts';
import { trustText, windowStateText } from './statusBar.ts';

const { l10n, workspace, env } = vscode;

/** How many of the latest calls of all agents are shown. */
const RECENT = 5;

const showAgents = runs('workspaceMcp.listAgents');

/** Shows the server in one list: the open question, the agents, their latest calls, the commands. */
export function showServerMenu(controls: Controls): void {
  const { agents, prompt, proposals, servers } = controls;
  showActions({
    title: 'Workspace MCP',
    placeholder: () => windowStateText(controls),
    actions: () => [
      ...trust(),
      ...section(l10n.t('Waiting for you'), [
        ...questions(prompt),
        ...proposals.open.map((one) => proposalAction(one, proposals)),
        ...servers.needing.map((one) => serverAction(one, servers)),
      ]),
      ...section(l10n.t('Changes'), changes(controls)),
      ...section(l10n.t('Agents'), agents.all.length > 0 ? agents.all.map(agentAction) : connect(controls)),
      ...section('HTTP', addresses(controls)),
      ...section(l10n.t('Recent calls'), recentCalls(agents.all)),
      ...section(l10n.t('Commands'), commands(controls)),
    ],
    onDidChange: (listener) => onAnyChange(controls, listener),
  });
}

/** First of all where no agent is connected. */
const connect = ({ server, extension }: Controls): MenuAction[] =>
  server.state === 'running'
    ? contributed(extension, ({ command }) => command.endsWith('.connectAgent'))
    : [];

/** Says that the workspace is not trusted, and opens the editor for workspace trust. */
function trust(): MenuAction[] {
  const text = trustText();
  return text ? [{ label: `$(workspace-untrusted) ${text}`, run: runs('workbench.trust.manage') }] : [];
}

function questions(prompt: Controls['prompt']): MenuAction[] {
  const { question, waiting } = prompt;
  if (!question) return [];
  const more = waiting > 1 ? { description: l10n.t('{0} more waiting', waiting - 1) } : {};
  return [{ label: `$(question) ${questionTitle(question)}`, ...more, run: () => prompt.choose() }];
}

const proposalAction = (proposal: Proposal, proposals: Proposals): MenuAction => ({
  label: `$(git-pull-request) ${proposalTitle(proposal)}`,
  run: () => proposals.show(proposal),
});

/** A click does what a click on its row in the view does. */
const serverAction = (server: Hosted, servers: ServersLater): MenuAction => ({
  label: `$(server) ${oneLine(server.name, 60)}`,
  description: serverDescription(server),
  run: async () => (await servers.get()).attend(server),
});

function changes({ changed }: Controls): MenuAction[] {
  const { length: count } = changed.list();
  const text = l10n.t('Review changes of agents ({0})', filesText(count));
  const run = runs('workspaceMcp.reviewAgentChanges');
  return count > 0 ? [{ label: `$(diff-multiple) ${text}`, run }] : [];
}

/** The address of each folder, to copy; or why there is none. */
function addresses({ http }: Controls): MenuAction[] {
  const { port, error } = http.current ?? {};
  if (error) return [{ label: `$(error) ${oneLine(error.message)}` }];
  if (port === undefined) return [];
  const all = (workspace.workspaceFolders ?? []).map(({ name }) => folderAddress(port, name));
  return [address(port), ...all].map((url) => ({
    label: `$(globe) ${oneLine(url)}`,
    description: l10n.t('copy'),
    run: () => env.clipboard.writeText(url),
  }));
}

function agentAction(agent: Agent): MenuAction {
  const { name, version, cwd, connectedAt, callCount } = agent;
  const since = l10n.t('since {0}', connectedAt.toLocaleTimeString(env.language));
  return {
    label: `$(plug) ${oneLine(`${name} ${version ?? ''}`.trim(), 80)}`,
    description: `${since} · ${callsText(callCount)}`,
    ...(cwd && { detail: oneLine(cwd) }),
    run: showAgents,
    buttons: [actionButton('debug-disconnect', l10n.t('Disconnect'), () => agent.disconnect())],
  };
}

function recentCalls(agents: readonly Agent[]): MenuAction[] {
  return agents
    .flatMap((agent) => agent.calls.map((call) => ({ agent, call })))
    .sort((a, b) => b.call.startedAt - a.call.startedAt)
    .slice(0, RECENT)
    .map(({ agent, call }) => ({
      label: `$(${CALL_ICONS[call.state]}) ${callName(call)}`,
      description: callDescription(call),
      buttons: callButtons(agent, call),
      run: showAgents,
    }));
}

function callButtons(agent: Agent, call: ActivityCall): ActionButton[] {
  const copy = actionButton('copy', l10n.t('Copy as JSON-RPC'), () => copyCall(call));
  const cancel = actionButton('debug-stop', l10n.t('Cancel'), () => agent.cancel(call));
  return call.state === 'running' ? [cancel, copy] : [copy];
}

/** VS Code replaces a title with an object if it is translated. */
interface Contributed {
  command: string;
  title: string | { value: string };
}

/** The commands that can run now, with the titles of the command palette. */
function commands({ server: { state }, agents, extension }: Controls): MenuAction[] {
  const offered: Record<string, boolean> = {
    startServer: state === 'stopped' || state === 'failed',
    restartServer: state === 'running',
    stopServer: state === 'running',
    listAgents: agents.all.length > 0,
    followAgent: agents.all.some(({ name }) => !isDoorName(name)),
    manageApprovals: true,
    connectAgent: agents.all.length > 0 || state !== 'running',
    removeFromAgents: true,
    copyAgentConfiguration: true,
    showWalkthrough: true,
    explainAccess: true,
    runDoctor: true,
    showLog: true,
  };
  return contributed(extension, ({ command }) => offered[command.replace('workspaceMcp.', '')] === true);
}

const contributed = ({ packageJSON }: Controls['extension'], isWanted: (one: Contributed) => boolean) =>
  (packageJSON.contributes.commands as Contributed[]).filter(isWanted).map(({ command, title }) => ({
    label: typeof title === 'string' ? title : title.value,
    run: runs(command),
  }));
