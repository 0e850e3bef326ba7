import * as vscode from 'vscode';
import type { Agent } from '../../server/agent.ts';
import type { Controls } from '../controls.ts';
import { callsText } from '../counts.ts';
import { type Action, showActions } from '../quickPickActions.ts';
import { oneLine } from '../untrustedText.ts';

/** Shows who is connected, since when and how busy; choosing one shows its calls in the view. */
export function listAgents({ agents }: Controls): void {
  const { l10n } = vscode;
  showActions({
    title: l10n.t('Connected Agents'),
    placeholder: () => l10n.t('Choose an agent to see its calls.'),
    actions: () => {
      const entries = agents.all.map(agentAction);
      return entries.length > 0 ? entries : [{ label: l10n.t('No agent is connected.') }];
    },
    onDidChange: agents.onDidChange,
  });
}

export const agentAction = (agent: Agent): Action => {
  const { l10n, env } = vscode;
  const { name, version, cwd, connectedAt, callCount } = agent;
  const since = l10n.t('since {0}', connectedAt.toLocaleTimeString(env.language));
  return {
    label: `$(plug) ${oneLine(`${name} ${version ?? ''}`.trim(), 80)}`,
    description: `${since} · ${callsText(callCount)}`,
    ...(cwd && { detail: oneLine(cwd) }),
    run: () => vscode.commands.executeCommand('workspaceMcp.agents.focus'),
    buttons: [
      {
        iconPath: new vscode.ThemeIcon('debug-disconnect'),
        tooltip: l10n.t('Disconnect'),
        run: () => agent.disconnect(),
      },
    ],
  };
};
