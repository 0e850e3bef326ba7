import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import type * as vscode from 'vscode';
import type { Client } from '../core/clients.ts';
import { type Fields, fieldsOf, isObject, itemsOf } from '../core/json.ts';
import type { ServedLanguage } from '../core/lsp/door.ts';
import { commandLine, type Shell, startsShim } from '../core/shell.ts';
import { OLDEST_NODE, stableShimPath } from '../ipc/installedShim.ts';
import { HOME_VARIABLE, stateDirectory } from '../ipc/windowRecord.ts';
import type { Format, Path } from './formats/format.ts';

/** Name of our entry in an agent's configuration. */
export const ENTRY = 'workspace-mcp';

/** The machine of the agents: in a remote window, the one where the extension host runs. */
export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  /** The first workspace folder on this machine. */
  folder?: string;
  /** VS Code's folder `User`, or the one of the current profile: it has `mcp.json` and `globalStorage`. */
  userData?: string;
  /** The folder of this extension that has its skills, `NAME/SKILL.md`; without it, none are written. */
  ownSkills?: string;
  /** What the window's language servers serve; without it, no agent gets them. */
  languages?: readonly ServedLanguage[];
  /** Whether the user's own VS Code runs on another machine, so its `mcp.json` is not in that folder. */
  isRemote?: boolean;
  l10n: Pick<typeof vscode.l10n, 't'>;
}

export interface ServerCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export type PlaceScope = 'user' | 'project' | 'local';

/** Most bytes of a configuration file: Claude Code keeps its history in the same file. */
export const MOST_CONFIGURATION_BYTES = 64 * 1024 * 1024;

/** A file in which an agent finds its MCP servers. */
export interface Place {
  /** `user`: all projects. `project`: shared with the repository. `local`: one project, in the user's own file. */
  scope: PlaceScope;
  format: Format;
  /** Absolute paths; the first that exists is used, or the last if none does. Empty if this machine has no such place. */
  files(machine: Machine): string[];
  /** The way to the object that has the servers by name. */
  path(machine: Machine): string[];
  /** What the agent replaces by the home directory of the user who runs it; for files that are shared. */
  home?(machine: Machine): string | undefined;
}

/** Something in a file: where, and what. */
export interface Part {
  path: Path;
  value: unknown;
}

/** What hooks need to reach us. */
export interface HookStart {
  launch: Launch;
  /** The name of our entry. */
  server: string;
  platform: NodeJS.Platform;
}

/** A file of the user in which an agent finds hooks. A project has none of ours: Copilot CLI runs those of other agents there too. */
export interface HookPlace extends Pick<Place, 'format' | 'files'> {
  /** Our hooks in the value of a file. */
  found(whole: unknown): Part[];
  /** Our hooks as they should be. Those that are there keep their places, new ones come behind those of others. */
  wanted(whole: unknown, start: HookStart): Part[];
}

/** What our language server needs to be written. */
export interface LanguageStart {
  launch: Launch;
  server: ServerCommand;
  /** The name of the server. */
  name: string;
  languages: readonly ServedLanguage[];
}

/** A file of the user in which an agent finds our language server, or that it needs for that. */
export interface LanguagePlace extends Pick<Place, 'format'> {
  /** Absolute paths. That of our entry is used if it is one of them, else the first. */
  files(machine: Machine, launch: Launch): string[];
  /** The language servers by name, in the value of a file that has some. */
  servers?(whole: unknown): unknown;
  /** What is ours in the value of a file. @param name of our server there, if it is there */
  found(whole: unknown, name: string | undefined): Part[];
  /** What should be ours. Without it, only the agent itself writes the file, and we remove what it has written of us. */
  wanted?(whole: unknown, start: LanguageStart): Part[];
}

/** An agent that can start our shim: one row of the table. */
export interface AgentProgram extends Client {
  /** For settings and tests; never changes. */
  id: string;
  name: string;
  /** Its command on the PATH, if it has one. */
  command?: string;
  /** Whether it does not have the PATH of a shell, so it needs the absolute path of Node.js. */
  isDesktop?: boolean;
  /** The usual one first. */
  places: readonly [Place, ...Place[]];
  hooks?: HookPlace;
  /** The folder of the user in which it finds skills, `NAME/SKILL.md`. Several agents share one. */
  skills?: Place['files'];
  /** Where it finds language servers, if it speaks LSP. */
  languageServers?: readonly LanguagePlace[];
  /** The entry in its shape, if that is not the usual one. */
  entry?(server: ServerCommand): Fields;
  /** The words of its own command that adds the entry for the user. */
  add?(server: ServerCommand): string[];
  /**
   * Its time limit for a tool call, if known: seconds if the entry does not say, and the field of the entry that sets it, if there is
   * one, with how many of the field's units are a second.
   */
  limit?: { usual: number; field?: string; unit?: number };
}

export interface Target {
  program: AgentProgram;
  place: Place;
}

export interface Launch {
  /** `node` if it is on the PATH, otherwise the absolute path of a program that can run as Node.js. */
  command: string;
  /** The command's absolute path: programs that were not started by a shell often have another PATH. */
  program: string;
  /** Absolute path of the stable copy. */
  shim: string;
  /** Variables that the shim needs, because agents pass on few of their own. */
  env: Record<string, string>;
  /** Whether it is VS Code's own program, because the PATH has no Node.js. An update of VS Code may move it. */
  isOwn: boolean;
}

/** Without paths of this machine, if the file of a place can do without; else the same object. */
export function launchIn(place: Place, launch: Launch, machine: Machine): Launch {
  const { command, shim, env } = launch;
  const home = place.home?.(machine);
  if (home === undefined || Object.keys(env).length > 0 || !shim.startsWith(machine.home)) return launch;
  const rest = shim.slice(machine.home.length).replaceAll('\\', '/');
  return { ...launch, program: command, shim: home + rest };
}

/** Milliseconds for `node` to print its version. */
const TIMEOUT = 5_000;

/** What decides how the shim is started. */
export interface NodeFinder {
  env: NodeJS.ProcessEnv;
  execPath: string;
  isElectron: boolean;
  /** Version and path of the `node` on the PATH; undefined if it is missing, or not Node.js. */
  node(): Promise<{ version: string; path: string } | undefined>;
}

export async function findLaunch(machine = thisMachine()): Promise<Launch> {
  const { env, execPath, isElectron } = machine;
  const home = stateDirectory(env);
  const shim = stableShimPath(home);
  const moved: Record<string, string> = env[HOME_VARIABLE] ? { [HOME_VARIABLE]: home } : {};
  const node = await machine.node();
  if (node && Number.parseInt(node.version, 10) >= OLDEST_NODE)
    return { command: 'node', program: node.path, shim, env: moved, isOwn: false };
  const asNode: Record<string, string> = isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  return { command: execPath, program: execPath, shim, env: { ...asNode, ...moved }, isOwn: true };
}

/** Finds a launch with VS Code's own program, for agents in this VS Code. It starts no process to find out. */
const findOwnLaunch = (): Promise<Launch> => findLaunch({ ...thisMachine(), node: async () => undefined });

/** How agents in this VS Code start the shim for a window. */
export async function windowCommand(id: string): Promise<ServerCommand> {
  const { program, shim, env } = await findOwnLaunch();
  return { command: program, args: [shim, '--window', id], env };
}

const thisMachine = (): NodeFinder => ({
  env: process.env,
  execPath: process.execPath,
  isElectron: 'electron' in process.versions,
  async node() {
    try {
      const print = 'process.versions.node + " " + process.execPath';
      const { stdout } = await promisify(execFile)('node', ['-p', print], { timeout: TIMEOUT });
      const [, version = '', path = ''] = /^(\S+) (.+)$/m.exec(stdout) ?? [];
      return { version, path };
    } catch {
      return undefined;
    }
  },
});

export const shimCommand = (
  { isDesktop }: Pick<AgentProgram, 'isDesktop'>,
  { command, program, shim, env }: Launch,
): ServerCommand => ({ command: isDesktop ? program : command, args: [shim], env });

/** A line that starts the shim in a shell. @param words its arguments */
export function shimLine({ command, shim, env }: Launch, shell: Shell, ...words: string[]): string {
  const set: Record<Shell, (name: string, value: string) => string> = {
    posix: (name, value) => `${name}=${commandLine([value], shell)} `,
    powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'; `,
    cmd: (name, value) => `set "${name}=${value}" && `,
  };
  const variables = Object.entries(env).map(([name, value]) => set[shell](name, value));
  const program = commandLine([command, shim, ...words], shell);
  const call = shell === 'powershell' && program.startsWith("'") ? '& ' : '';
  return [...variables, call, program].join('');
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** How an entry starts its server, in the shape of any agent. */
export function commandIn(value: unknown): ServerCommand {
  const { command, args, env, environment } = fieldsOf(value);
  const words = [command].flat().concat(itemsOf(args)).filter(isText);
  const variables = Object.entries(fieldsOf(env ?? environment));
  return {
    command: words[0] ?? '',
    args: words.slice(1),
    env: Object.fromEntries(variables.filter((one): one is [string, string] => isText(one[1]))),
  };
}

export const withoutEmpty = (fields: Record<string, Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0));

/** The usual entry of an agent. */
export const stdio = ({ command, args, env }: ServerCommand) => ({ command, args, ...withoutEmpty({ env }) });

/** The path of the shim that an entry starts; undefined if it starts none. @param shim the stable path, if it is known */
export const shimIn = (value: unknown, shim?: string): string | undefined =>
  commandIn(value).args.find((word) => startsShim([word], shim));

/** Our entry, whatever its name. @param servers by name */
export function findEntry(servers: unknown, shim: string): { name: string; value: Fields } | undefined {
  const ours = Object.entries(fieldsOf(servers))
    .filter((one): one is [string, Fields] => isObject(one[1]))
    .filter(([, value]) => shimIn(value, shim) !== undefined);
  const [name, value] = ours.find(([name]) => name === ENTRY) ?? ours[0] ?? [];
  return name !== undefined && value ? { name, value } : undefined;
}

/** The name for a new entry. There are other servers that users call by our usual name. */
export const nameAmong = (servers: unknown): string =>
  Object.hasOwn(fieldsOf(servers), ENTRY) ? `${ENTRY}-vscode` : ENTRY;

/** Variables that we set, and fields of entries that say how a server starts. */
const OUR_VARIABLES = ['ELECTRON_RUN_AS_NODE', HOME_VARIABLE];
const START_FIELDS = ['command', 'args', 'env', 'environment'];

/**
 * Our entry as it should be. An entry of ours keeps what the user has added: arguments, variables and other fields.
 *
 * @param old value, if there is one
 */
export function wantedEntry(program: AgentProgram, launch: Launch, old?: Fields): Fields {
  const { entry: entryOf = stdio } = program;
  const fresh = shimCommand(program, launch);
  const shim = shimIn(old, launch.shim);
  if (!old || shim === undefined) return entryOf(fresh);
  const { command, args, env } = commandIn(old);
  const { command: runtime, env: variables } = isUsable(command, env, launch)
    ? { command, env: fresh.env }
    : fresh;
  const entry = entryOf({
    command: runtime,
    args: args.map((word) => (word === shim ? launch.shim : word)),
    env: { ...without(env, OUR_VARIABLES), ...variables },
  });
  return { ...entry, ...without(old, START_FIELDS) };
}

/** Whether a command still runs Node.js. Another version than today's is as good. */
function isUsable(command: string, env: Record<string, string>, launch: Launch): boolean {
  if (command === launch.command || command === launch.program) return true;
  return 'ELECTRON_RUN_AS_NODE' in env ? false : isThere(command, launch);
}

/** Whether a command exists. One that is not a path is on the PATH of the agent; only `node` is known here. */
export const isThere = (command: string, { isOwn }: Launch): boolean =>
  isAbsolute(command) ? existsSync(command) : command !== 'node' || !isOwn;

const without = <T>(fields: Partial<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as Record<string, T>;
