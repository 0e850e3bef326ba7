import * as vscode from 'vscode';
import { type AgentConfiguration, agentConfigurations } from '../../agents/configurations.ts';
import { findLaunch, type Launch } from '../../agents/launch.ts';
import { shellOf } from '../../core/shell.ts';
import { OLDEST_NODE } from '../../ipc/installedShim.ts';

/** Copies the configuration for the agent that the user picks. */
export async function copyAgentConfiguration(): Promise<void> {
  const { l10n } = vscode;
  const launch = await findLaunch();
  const chosen = await pick(l10n.t('Copy Agent Configuration'), configurations(launch));
  if (!chosen) return;
  await vscode.env.clipboard.writeText(chosen.text);
  void vscode.window.showInformationMessage([copiedText(chosen), ...warnings(launch, chosen)].join(' '));
}

/** Types the command that configures an agent into a new terminal; the user runs it. */
export async function insertAgentConfiguration(): Promise<void> {
  const { l10n } = vscode;
  const launch = await findLaunch();
  const commands = configurations(launch).filter(({ agent, file }) => agent && !file);
  const chosen = await pick(l10n.t('Insert Agent Configuration into Terminal'), commands);
  if (!chosen) return;
  if (/\p{Cc}/u.test(chosen.text))
    throw new Error(
      l10n.t('A path in this command contains control characters. Copy the configuration instead.'),
    );
  const insert = l10n.t('Insert');
  const answer = await vscode.window.showInformationMessage(
    l10n.t('Insert this command into a terminal? It runs when you press Enter there.'),
    { modal: true, detail: [chosen.text, ...warnings(launch, chosen)].join('\n\n') },
    insert,
  );
  if (answer !== insert) return;
  const terminal = vscode.window.createTerminal(l10n.t('Connect {0}', nameOf(chosen)));
  terminal.show();
  await shellReady(terminal);
  terminal.sendText(chosen.text, false);
}

/** Milliseconds to wait for shell integration, which not every shell has, and from then to the prompt. */
const SHELL_START = 3_000;
const PROMPT = 500;

/** Text that is typed before the prompt would appear twice. */
const shellReady = (terminal: vscode.Terminal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      listener.dispose();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, SHELL_START);
    const listener = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) setTimeout(done, PROMPT);
    });
  });

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

function warnings({ isOwn }: Launch, { agent }: AgentConfiguration): string[] {
  const { l10n } = vscode;
  const ownNode = l10n.t(
    "Node.js {0} or newer is not on the PATH, so this uses VS Code's own. If an update moves VS Code, copy the configuration again.",
    OLDEST_NODE,
  );
  const untrusted = l10n.t('{0} starts MCP servers only in folders that you trust in {0}.', agent);
  const asksForTrust = agent === 'Gemini CLI' || agent === 'Qwen Code';
  return [...(isOwn ? [ownNode] : []), ...(asksForTrust ? [untrusted] : [])];
}
