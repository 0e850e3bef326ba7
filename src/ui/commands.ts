import * as vscode from 'vscode';
import type { WindowServer } from '../socket/windowServer.ts';
import { agentConfigurations } from './connectAgent/configurations.ts';
import { shimLocation } from './connectAgent/shimLocation.ts';

/** Registers every command that package.json contributes. */
export function registerCommands(server: WindowServer, log: vscode.LogOutputChannel): vscode.Disposable[] {
  const commands: Record<string, () => unknown> = {
    startServer: () => server.start(),
    stopServer: () => server.stop(),
    restartServer: () => server.restart(),
    copyAgentConfiguration: copyAgentConfiguration,
    showLog: () => log.show(),
  };
  return [
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`workspaceMcp.${name}`, run),
    ),
    server.onDidChangeState(() => {
      if (server.state === 'failed') void tellFailure(server.error, log);
    }),
  ];
}

async function tellFailure(error: Error | undefined, log: vscode.LogOutputChannel): Promise<void> {
  const { l10n } = vscode;
  const showLog = l10n.t('Show Log');
  const message = l10n.t('Workspace MCP could not start: {0}', error?.message ?? '');
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}

async function copyAgentConfiguration(): Promise<void> {
  const { l10n } = vscode;
  const configurations = agentConfigurations(shimLocation());
  const choices = configurations.map(({ label, text }) => ({
    label,
    detail: text.replaceAll(/\s+/g, ' '),
    text,
  }));
  const choice = await vscode.window.showQuickPick(choices, {
    title: l10n.t('Copy Agent Configuration'),
    placeHolder: l10n.t('What is the agent configured with?'),
    matchOnDetail: true,
  });
  if (!choice) return;
  await vscode.env.clipboard.writeText(choice.text);
  void vscode.window.showInformationMessage(l10n.t('Copied: {0}', choice.label));
}
