import type { Fields } from '../core/json.ts';
import { commandLine, type Shell } from '../core/shell.ts';
import type { Format } from './formats/format.ts';
import { json } from './formats/json.ts';
import {
  type AgentProgram,
  ENTRY,
  type HookPlace,
  type Launch,
  type Machine,
  type Place,
  shimCommand,
  shimLine,
  stdio,
  wantedEntry,
} from './program.ts';
import { agentPrograms, TOOL_TIMEOUT } from './programs.ts';

export interface AgentConfiguration {
  /** Name of the agent; empty for all other agents. */
  agent: string;
  /** The file for the text; undefined if the text is a terminal command. */
  file?: string;
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
        ? [{ agent: program.name, text: commandLine(program.add(shimCommand(program, launch)), shell) }]
        : []),
      fileFor(program, launch, platform),
      ...(program.hooks ? [hooksFor(program.name, program.hooks, launch, platform)] : []),
    ]),
    goose(launch, platform),
    { agent: '', file: 'mcpServers', text: textOf(json, ['mcpServers'], stdio(shimCommand({}, launch))) },
    // The command that starts the shim alone, for agents that ask for a command.
    { agent: '', text: shimLine(launch, shell) },
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

/** The text of the file of hooks, as it is if it has nothing else. */
function hooksFor(
  agent: string,
  { files, format, wanted }: HookPlace,
  launch: Launch,
  platform: NodeJS.Platform,
): AgentConfiguration {
  const parts = wanted(undefined, { launch, server: ENTRY, platform });
  const text = parts.reduce((text, { path, value }) => format.set(text, path, value), '');
  return { agent, file: files(anyMachine(platform)).at(-1) ?? '', text: text.trimEnd() };
}

/**
 * Goose has YAML, which the user edits: crates/goose/src/config/paths.rs, crates/goose/src/agents/extension.rs. A value in JSON is
 * YAML as well.
 */
function goose(launch: Launch, platform: NodeJS.Platform): AgentConfiguration {
  const { command, args, env } = shimCommand({ isDesktop: true }, launch);
  const start = { cmd: command, args, envs: env, timeout: TOOL_TIMEOUT };
  const entry = { enabled: true, type: 'stdio', name: ENTRY, description: '', ...start };
  const fields = Object.entries(entry).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
  const file =
    platform === 'win32'
      ? String.raw`%APPDATA%\Block\goose\config\config.yaml`
      : '~/.config/goose/config.yaml';
  return { agent: 'Goose', file, text: ['extensions:', `  ${ENTRY}:`, ...fields].join('\n') };
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

const textOf = (format: Format, path: readonly string[], entry: Fields): string =>
  format.set('', [...path, ENTRY], entry).trimEnd();
