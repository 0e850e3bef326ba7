import * as vscode from 'vscode';
import { type AgentConfiguration, agentConfigurations } from '../../agents/configurations.ts';
import { findLaunch, type Launch } from '../../agents/launch.ts';
import { shellOf } from '../../core/shell.ts';
import { cautions } from './cautions.ts';

/** Copies the configuration for the agent that the user picks. */
export async function copyAgentConfiguration(): Promise<void> {
  const { l10n } = vscode;
  const launch = await findLaunch();
  const chosen = await pick(l10n.t('Copy Agent Configuration'), configurations(launch));
  if (!chosen) return;
  await vscode.env.clipboard.writeText(chosen.text);
  void vscode.window.showInformationMessage(
    [copiedText(chosen), ...cautions(launch, chosen.agent)].join(' '),
  );
}

const configurations = (launch: Launch): AgentConfiguration[] =>
  agentConfigurations(launch, shellOf(vscode.env.shell, process.platform), process.platform);

async function pick(title: string, choices: AgentConfiguration[]): Promise<AgentConfiguration | undefined> {
  const { l10n, env } = vscode;
  const items = choices.map((configuration) => ({
    label: nameOf(configuration),
    description: configuration.file ?? l10n.t('command'),
    detail: configuration.text.replaceAll(/\s+/g, ' ').replaceAll('$(', '$ ('),
    configuration,
  }));
  const placeHolder = env.remoteName
    ? l10n.t(
        'Which agent? It must run on the machine that has the files of this window ({0}).',
        env.remoteName,
      )
    : l10n.t('Which agent?');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.configuration;
}

const nameOf = ({ agent }: AgentConfiguration): string => agent || vscode.l10n.t('Other agents');

/** Says where to put the text. */
function copiedText({ agent, file }: AgentConfiguration): string {
  const { l10n } = vscode;
  if (agent === 'VS Code')
    return l10n.t(
      'Copied for VS Code. Add it to .vscode/mcp.json of a project, or to your own mcp.json ("MCP: Open User Configuration" opens it).',
    );
  if (agent)
    return file
      ? l10n.t('Copied for {0}: add it to {1}.', agent, file)
      : l10n.t('Copied for {0}: run it in a terminal.', agent);
  return file
    ? l10n.t('Copied. Add it under mcpServers in the configuration of your agent.')
    : l10n.t('Copied. Use it if your agent asks for the command of an MCP server.');
}
