import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Fields } from '../core/json.ts';
import { readConfiguration } from './configurationFile.ts';
import { commandIn, isThere, shimIn, wantedEntry } from './entry.ts';
import { isSame } from './formats/format.ts';
import { type Launch, launchIn } from './launch.ts';
import { type AgentProgram, ENTRY, type Machine, type Target } from './program.ts';

/**
 * `outdated`: the entry works, but is not what would be written today. `broken`: its shim or Node.js does not exist.
 * `unreadable`: whether there is one is unknown, because the file is not valid or cannot be read.
 */
export type EntryState = 'configured' | 'outdated' | 'broken' | 'unreadable' | 'absent';

/** Our entry in a place. Whether the agent is connected now, only the window knows. */
export interface Examined {
  file: string;
  state: EntryState;
  /** Why it is not `configured`, for the user. */
  problem?: string;
  /** The name of the entry, if it has another one than ours. */
  name?: string;
  /** Seconds after which the agent stops a tool call, if known. */
  limit?: number;
}

/** What an agent has of us; undefined if this machine has no such place. Never throws. */
export async function examine(
  { program, place }: Target,
  usual: Launch,
  machine: Machine,
): Promise<Examined | undefined> {
  const { l10n } = machine;
  const launch = launchIn(place, usual, machine);
  const home = place.home?.(machine);
  const real = (path: string) => (home === undefined ? path : path.replace(home, () => machine.home));
  try {
    const configuration = await readConfiguration(place, launch.shim, machine);
    if (!configuration) return undefined;
    const { file, entry } = configuration;
    if (!entry) return { file, state: 'absent' };
    const { name, value } = entry;
    const base = { file, ...(name !== ENTRY && { name }) };
    const { command } = commandIn(value);
    const paths = [shimIn(value, launch.shim) ?? '', command].map(real);
    const missing = paths.find((path) => !isThere(path, launch));
    if (missing !== undefined)
      return { ...base, state: 'broken', problem: l10n.t('{0} does not exist.', missing) };
    const isCurrent = isSame(wantedEntry(program, launch, value), value);
    const limit = limitOf(program, value);
    const rest = { ...base, ...(limit !== undefined && { limit }) };
    if (isCurrent) return { ...rest, state: 'configured' };
    return { ...rest, state: 'outdated', problem: l10n.t('The entry is not what this version writes.') };
  } catch (error) {
    const { message } = error as Error;
    const file = place.files(machine).find((file) => existsSync(file)) ?? '';
    const problem = error instanceof UserError ? message : l10n.t('{0} cannot be read: {1}', file, message);
    return { file, state: 'unreadable', problem };
  }
}

function limitOf({ limit }: AgentProgram, entry: Fields): number | undefined {
  const set = limit?.field === undefined ? undefined : entry[limit.field];
  return typeof set === 'number' ? set / (limit?.unit ?? 1) : limit?.usual;
}

/** Whether an agent seems to be installed: its program is on the PATH, or its configuration or the folder of that is there. */
export function isInstalled({ command, places }: AgentProgram, machine: Machine): boolean {
  if (command !== undefined && isOnPath(command, machine)) return true;
  return places
    .filter(({ scope }) => scope === 'user')
    .flatMap(({ files }) => files(machine))
    .some((file) => existsSync(file) || (dirname(file) !== machine.home && existsSync(dirname(file))));
}

/** Programs of npm have another extension on Windows than others. */
function isOnPath(command: string, { env, platform }: Machine): boolean {
  const extensions = platform === 'win32' ? ['.exe', '.cmd', '.ps1'] : [''];
  return (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((directory) => directory !== '')
    .some((directory) => extensions.some((extension) => existsSync(join(directory, command + extension))));
}
