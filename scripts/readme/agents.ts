/** How each agent is connected: the texts that Copy Agent Configuration copies, for somebody called "you". */
import { type AgentConfiguration, agentConfigurations } from '../../src/ui/connectAgent/configurations.ts';

const launch = {
  command: 'node',
  program: '/usr/local/bin/node',
  shim: '/home/you/.workspace-mcp/shim.js',
  env: {},
  isOwn: false,
};

export const agents = (): string =>
  agentConfigurations(launch, 'posix', 'darwin')
    .filter(isFirstOfItsAgent)
    .map(({ agent, file, text }) => `**${agent || 'Any other'}**, ${place(file)}:\n\n${fenced(text, file)}`)
    .join('\n\n');

/** What an agent takes in more than one way is shown once. */
const isFirstOfItsAgent = (
  { agent }: AgentConfiguration,
  index: number,
  all: AgentConfiguration[],
): boolean => all.findIndex((other) => other.agent === agent) === index;

function place(file: string | undefined): string {
  if (file === undefined) return 'in a terminal';
  return /^\w+$/.test(file) ? `where its configuration has \`${file}\`` : `in \`${file}\``;
}

/** Shells know the home directory; configuration files want it in full. */
function fenced(text: string, file: string | undefined): string {
  const language = file === undefined ? 'sh' : text.startsWith('{') ? 'json' : 'toml';
  const shown = file === undefined ? text.replaceAll('/home/you/', '~/') : text;
  return `\`\`\`${language}\n${shown}\n\`\`\``;
}
