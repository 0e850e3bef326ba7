import { posix, win32 } from 'node:path';
import { parseEnv } from 'node:util';
import { UserError } from '../../../core/errors.ts';
import { startsShim } from '../../../core/shell.ts';
import type { RemoteLaunch, StdioLaunch } from '../definition.ts';
import { type L10n, ownShimText } from '../problems.ts';
import { serverEnvironment, shownVariable } from './environment.ts';
import { atHome, type Fill, inField, type Values, withoutNull } from './variables.ts';

/** What this machine and window give to a process. */
export interface ProcessMachine extends Omit<Values, 'inputs'> {
  /** Absolute path of the directory that a program runs in unless its definition says otherwise, from `directoryOf`. */
  directory: string;
  /** Absolute paths, from `findProgramDirectories`. */
  programDirectories: readonly string[];
  /** Absolute path of our installed shim. */
  shim: string;
  /** Where VS Code is. */
  appRoot: string;
  /** The text of a file of variables. @throws UserError that names the file, if it may not be read or cannot be */
  readEnvFile(path: string): Promise<string>;
}

/** A process to start. Never log it: any text may hold a secret. */
export interface ResolvedStdio {
  type: 'stdio';
  command: string;
  args: string[];
  /** Absolute path. */
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
}

export type Variable = readonly [name: string, value: string | null];

/** @returns the process, and the variables that its env file and its definition set. @throws UserError by field */
export async function resolveStdio(
  launch: StdioLaunch,
  fill: Fill,
  machine: ProcessMachine,
): Promise<{ resolved: ResolvedStdio; ofFile: Variable[]; own: Variable[] }> {
  const command = atHome(fill(['command'], launch.command), machine);
  const args = launch.args.map((text, index) => fill(['args', index], text));
  if (startsShim([command, ...args], machine.shim)) throw new UserError(ownShimText(machine.l10n));
  const ofFile = await envFileVariables(launch, fill, machine);
  const own = variablesOf(launch.env, fill, machine);
  const env = serverEnvironment([...ofFile, ...own], machine);
  const cwd = directoryFor(launch, fill, machine);
  return { resolved: { type: 'stdio', command, args, cwd, env }, ofFile, own };
}

/** Absolute path of the directory that it runs in. @throws UserError by field */
export const directoryFor = ({ cwd }: StdioLaunch, fill: Fill, machine: ProcessMachine): string =>
  cwd ? pathOf('cwd', cwd, fill, machine) : machine.directory;

/** The variables of its env file, if it has one. @throws UserError by field */
export async function envFileVariables(
  { envFile }: StdioLaunch,
  fill: Fill,
  machine: ProcessMachine,
): Promise<Variable[]> {
  if (!envFile) return [];
  const variables = parseEnv(await machine.readEnvFile(pathOf('envFile', envFile, fill, machine)));
  const checked: Fill = (_, value) => withoutNull(value, machine.l10n);
  return inField(['envFile'], () => variablesOf(variables, checked, machine));
}

/** What the approval covers of an env file, as `shownVariable`. The value of a variable that `env` sets as well does not count. */
export const shownOfFile = (ofFile: readonly Variable[], { env }: StdioLaunch): string[] =>
  ofFile.map(([name, value]) => (Object.hasOwn(env, name) ? name : shownVariable(name, value)));

/** A relative path is one in the workspace folder. */
function pathOf(field: 'cwd' | 'envFile', text: string, fill: Fill, machine: ProcessMachine): string {
  const { home, platform, folder } = machine;
  const { resolve } = platform === 'win32' ? win32 : posix;
  return resolve(folder?.path ?? home, atHome(fill([field], text), machine));
}

/** @param fill is called for texts */
const variablesOf = (
  env: Partial<Record<string, string | number | null>>,
  fill: Fill,
  { l10n }: ProcessMachine,
): Variable[] =>
  Object.entries(env).map(([name, value]) => {
    if (/^$|[=\0]/.test(name)) throw new UserError(`env: ${l10n.t('{0} is not a name of a variable', name)}`);
    return [name, typeof value === 'string' ? fill(['env', name], value) : (value?.toString() ?? null)];
  });

/** A server to connect to. Never log it: the query of the URL and the headers may hold secrets. */
export interface ResolvedRemote {
  type: 'http' | 'sse';
  url: URL;
  headers: Record<string, string>;
  /** To be used for OAuth; registered automatically without it. */
  clientId?: string;
}

/** Checks what `fetch` would refuse with an error that quotes the value. @throws UserError by field */
export function resolveRemote(launch: RemoteLaunch, fill: Fill, l10n: L10n): ResolvedRemote {
  const clientId = launch.oauth?.clientId;
  const filled = fill(['url'], launch.url);
  const url = inField(['url'], () => addressOf(filled, l10n));
  const headers = Object.entries(launch.headers).map(([name, text]) => {
    const path = ['headers', name];
    const value = fill(path, text);
    inField(path, () => checkHeader(name, value, l10n));
    return [name, value];
  });
  return {
    type: launch.type,
    url,
    headers: Object.fromEntries(headers),
    ...(clientId && { clientId: fill(['oauth', 'clientId'], clientId) }),
  };
}

function addressOf(text: string, l10n: L10n): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(l10n.t('must be an address that begins with http:// or https://'));
  if (url.username || url.password)
    throw new UserError(l10n.t('must not have a user name or password. Use headers instead.'));
  return url;
}

/** RFC 9110, section 5: a token, and a value without line breaks. */
function checkHeader(name: string, value: string, l10n: L10n): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UserError(l10n.t('is not a name of a header'));
  if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))
    throw new UserError(l10n.t('must not contain line breaks or characters outside of Latin-1'));
}
