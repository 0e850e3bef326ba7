/** How each agent is connected: the texts that Copy Agent Configuration copies, for somebody called "you". */
import { type AgentConfiguration, agentConfigurations } from '../../src/agents/configurations.ts';

const launch = {
  command: 'node',
  program: '/usr/local/bin/node',
  shim: '/home/you/.workspace-mcp/shim.js',
  env: {},
  isOwn: false,
};

/** Those of the README; docs/agents.md has all. */
const SHOWN =
  /^(Claude Code|Codex|Cursor|opencode|Gemini CLI|Copilot CLI|Qwen Code|Cline|Claude Desktop|VS Code)?$/;

export const agents = (): string =>
  agentConfigurations(launch, 'posix', 'darwin')
    .filter(({ agent }) => SHOWN.test(agent))
    .filter(isFirstOfItsAgent)
    .map(({ agent, file, text }) =>
      folded(`<b>${agent || 'Any other'}</b>, ${place(file)}`, shown(text, file)),
    )
    .join('\n');

/** A block that opens on a click. */
const folded = (summary: string, text: string): string =>
  `<details><summary>${summary}</summary>\n\n${text.replaceAll(/^(?=.)/gm, '    ')}\n</details>`;

/** What an agent takes in more than one way is shown once. */
const isFirstOfItsAgent = (
  { agent }: AgentConfiguration,
  index: number,
  all: AgentConfiguration[],
): boolean => all.findIndex((other) => other.agent === agent) === index;

function place(file: string | undefined): string {
  if (file === undefined) return 'in a terminal';
  return /^\w+$/.test(file) ? `if its configuration has <code>${file}</code>` : `in <code>${file}</code>`;
}

/** Shells know the home directory; configuration files want it in full. JSON takes one line here. */
function shown(text: string, file: string | undefined): string {
  if (file === undefined) return text.replaceAll('/home/you/', '~/');
  return text.startsWith('{') ? JSON.stringify(JSON.parse(text), null, 1).replaceAll(/\n */g, ' ') : text;
}
