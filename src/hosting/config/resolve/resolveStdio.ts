import { posix, win32 } from 'node:path';
import { parseEnv } from 'node:util';
import { UserError } from '../../../core/errors.ts';
import { startsShim } from '../../../core/ownShim.ts';
import type { StdioLaunch } from '../definition.ts';
import { ownShimText } from '../ownShim.ts';
import type { L10n } from '../problems.ts';
import { loadsCode, serverEnvironment } from './environment.ts';
import { type Fill, inField, withoutNull } from './fill.ts';
import type { Values } from './variables.ts';

/** What this machine and window give to a process. */
export interface ProcessMachine extends Omit<Values, 'inputs'> {
  /** Absolute paths, from `findProgramDirectories`. */
  programDirectories: readonly string[];
  /** Absolute path of our installed shim. */
  shim: string;
  /** The text of a file of variables. @throws UserError that names the file, if it may not be read or cannot be */
  readEnvFile(path: string): Promise<string>;
}

/** A process to start. Never log it: any text may hold a secret. */
export interface ResolvedStdio {
  type: 'stdio';
  command: string;
  args: string[];
  /** Absolute path; the server's folder, or the home directory without one, unless the definition says otherwise. */
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
}

type Variable = readonly [name: string, value: string | null];

/** @throws UserError by field */
export async function resolveStdio(
  launch: StdioLaunch,
  fill: Fill,
  machine: ProcessMachine,
  l10n: L10n,
): Promise<ResolvedStdio> {
  const { home, platform, folder, programDirectories } = machine;
  const base = folder?.path ?? home;
  const atHome = (text: string) => text.replace(/^~(?=$|[\\/])/, () => home);
  const pathOf = (field: 'cwd' | 'envFile', text: string) =>
    (platform === 'win32' ? win32 : posix).resolve(base, atHome(fill([field], text)));
  const command = atHome(fill(['command'], launch.command));
  const args = launch.args.map((text, index) => fill(['args', index], text));
  if (startsShim([command, ...args], machine.shim)) throw new UserError(ownShimText(l10n));
  const { envFile } = launch;
  const ofFile = envFile ? await readEnvFile(pathOf('envFile', envFile), machine, l10n) : [];
  const variables = [...ofFile, ...variablesOf(launch.env, fill, l10n)];
  return {
    type: 'stdio',
    command,
    args,
    cwd: launch.cwd ? pathOf('cwd', launch.cwd) : base,
    env: serverEnvironment(machine.env, variables, programDirectories, platform),
  };
}

/** The approval of a server does not cover the content of the file, so that must not make another program run. */
async function readEnvFile(path: string, machine: ProcessMachine, l10n: L10n): Promise<Variable[]> {
  const text = await machine.readEnvFile(path);
  return inField(['envFile'], () => {
    const variables = variablesOf(parseEnv(text), (_, value) => withoutNull(value, l10n), l10n);
    const loading = variables.find(([name]) => loadsCode(name));
    if (!loading) return variables;
    throw new UserError(
      l10n.t('{0} can make another program run. Set it in env, so that you see when it changes.', loading[0]),
    );
  });
}

/** @param fill is called for texts */
const variablesOf = (
  env: Partial<Record<string, string | number | null>>,
  fill: Fill,
  l10n: L10n,
): Variable[] =>
  Object.entries(env).map(([name, value]) => {
    if (/^$|[=\0]/.test(name)) throw new UserError(`env: ${l10n.t('{0} is not a name of a variable', name)}`);
    return [name, typeof value === 'string' ? fill(['env', name], value) : (value?.toString() ?? null)];
  });
