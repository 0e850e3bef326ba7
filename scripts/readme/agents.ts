/** How each agent is connected: the texts that Copy Agent Configuration copies, for somebody called "you". */
import { type AgentConfiguration, agentConfigurations, shownFile } from '../../src/agents/configurations.ts';
import type { AgentProgram } from '../../src/agents/program.ts';
import { agentPrograms } from '../../src/agents/programs.ts';

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

/** Rows of a table: agent, the user's file, the one in a project, the time limit for a call. */
export const agentFiles = (): string[][] =>
  agentPrograms.map((program) => [
    program.name,
    filesIn(program, 'user'),
    filesIn(program, 'project'),
    limitText(program),
  ]);

/** On Linux, and on other systems where that is another one. */
function filesIn({ places }: AgentProgram, scope: string): string {
  const place = places.find((one) => one.scope === scope);
  const files = (['linux', 'darwin', 'win32'] as const).map(
    (platform) => place && shownFile(place, platform),
  );
  const shown = files.flatMap((file) => file?.replaceAll('\\', '/') ?? []);
  return [...new Set(shown)].map((file) => `\`${file}\``).join(', ');
}

function limitText({ limit, entry }: AgentProgram): string {
  if (!limit) return '';
  const ours = limit.field && entry?.({ command: '', args: [], env: {} })[limit.field];
  return ours === undefined ? `${limit.usual} s` : `${ours} s; ${limit.usual} s without the entry's field`;
}
