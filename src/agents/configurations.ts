import type { Fields } from '../core/json.ts';
import { commandLine, type Shell } from '../core/shell.ts';
import { serverOf, wantedEntry } from './entry.ts';
import { formats } from './formats/formats.ts';
import type { Launch } from './launch.ts';
import { type AgentProgram, ENTRY, type Machine, type Place } from './program.ts';
import { agentPrograms, stdio } from './programs.ts';

export interface AgentConfiguration {
  /** Name of the agent; empty for all other agents. */
  agent: string;
  /** The file for the text; undefined if the text is a terminal command. */
  file?: string;
  /** The exact text to copy. */
  text: string;
}

/** The configurations that make agents start the shim. They do not depend on a window, so each works for all windows. */
export function agentConfigurations(
  launch: Launch,
  shell: Shell,
  platform: NodeJS.Platform,
): AgentConfiguration[] {
  return [
    ...agentPrograms.flatMap((program) => [
      ...(program.add
        ? [{ agent: program.name, text: commandLine(program.add(serverOf(program, launch)), shell) }]
        : []),
      fileFor(program, launch, platform),
    ]),
    { agent: '', file: 'mcpServers', text: textOf('json', ['mcpServers'], stdio(serverOf({}, launch))) },
    { agent: '', text: started(launch, shell) },
  ];
}

/** The text of the user's file, as it is if it has nothing else. */
function fileFor(program: AgentProgram, launch: Launch, platform: NodeJS.Platform): AgentConfiguration {
  const [place] = program.places;
  const machine = anyMachine(platform);
  return {
    agent: program.name,
    file: shownFile(place, platform) ?? '',
    text: textOf(place.format, place.path(machine), wantedEntry(program, launch)),
  };
}

/** The file of a place for a user whose name is not known; a file of VS Code is relative to its folder `User`. */
export const shownFile = ({ files }: Place, platform: NodeJS.Platform): string | undefined =>
  files(anyMachine(platform)).at(-1);

/** With paths as a person would write them; in a workspace folder they are relative. */
const anyMachine = (platform: NodeJS.Platform): Machine => ({
  platform,
  env: { APPDATA: '%APPDATA%' },
  home: '~',
  folder: '',
  userData: '',
  l10n: { t: String },
});

const textOf = (format: keyof typeof formats, path: readonly string[], entry: Fields): string =>
  formats[format].set('', [...path, ENTRY], entry).trimEnd();

/** The command that starts the shim alone, for agents that ask for a command. */
function started({ command, shim, env }: Launch, shell: Shell): string {
  const program = commandLine([command, shim], shell);
  const variables = Object.entries(env);
  switch (shell) {
    case 'posix':
      return [...variables.map(([name, value]) => `${name}=${commandLine([value], shell)}`), program].join(
        ' ',
      );
    case 'powershell': {
      const call = /^'/.test(program) ? `& ${program}` : program;
      return [
        ...variables.map(([name, value]) => `$env:${name} = '${value.replaceAll("'", "''")}'`),
        call,
      ].join('; ');
    }
    case 'cmd':
      return [...variables.map(([name, value]) => `set "${name}=${value}"`), program].join(' && ');
  }
}
