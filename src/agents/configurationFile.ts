import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Fields } from '../core/json.ts';
import { readSmallFile } from '../util/diskPaths.ts';
import { isSame, ParseProblem, valueAt } from './formats/format.ts';
import {
  type AgentProgram,
  commandIn,
  ENTRY,
  findEntry,
  isThere,
  type Launch,
  launchIn,
  type Machine,
  MOST_CONFIGURATION_BYTES,
  type Place,
  shimIn,
  type Target,
  wantedEntry,
} from './program.ts';

export interface ConfigurationFile {
  file: string;
  /** Undefined if there is no such file. */
  text?: string;
  /** Our entry. */
  entry?: { name: string; value: Fields };
  /** The value of a text of this file. @throws InvalidFile */
  parse(text: string): unknown;
}

export class InvalidFile extends UserError {
  readonly file: string;
  /** From 1. */
  readonly line: number;

  constructor(message: string, file: string, line: number) {
    super(message);
    this.file = file;
    this.line = line;
  }
}

/** Undefined if this machine has no such place. @throws UserError for a file that is not valid, and Node's errors */
export async function readConfiguration(
  place: Place,
  shim: string,
  machine: Machine,
): Promise<ConfigurationFile | undefined> {
  const files = place.files(machine);
  const there = files.filter((file) => existsSync(file));
  const readOne = async (file: string): Promise<ConfigurationFile> => {
    const parse = (text: string) => parsed(text, place, file, machine);
    const text = await readText(file, machine);
    if (text === undefined) return { file, parse };
    const entry = findEntry(valueAt(parse(text), place.path(machine)), shim);
    return { file, parse, text, ...(entry && { entry }) };
  };
  const all = await Promise.all((there.length > 0 ? there : files.slice(-1)).map(readOne));
  return all.find(({ entry }) => entry) ?? all[0];
}

/** The text of a file with its byte order mark; undefined if there is none. @throws UserError if it is not UTF-8 */
export async function readText(file: string, { l10n }: Machine): Promise<string | undefined> {
  const bytes = await readSmallFile(file, MOST_CONFIGURATION_BYTES);
  if (bytes && !isUtf8(bytes))
    throw new UserError(l10n.t('{0} is not text in UTF-8, so it cannot be edited.', file));
  return bytes?.toString('utf8');
}

function parsed(text: string, { format }: Place, file: string, { l10n }: Machine): unknown {
  try {
    return format.parse(withoutMark(text));
  } catch (error) {
    if (!(error instanceof ParseProblem)) throw error;
    throw new InvalidFile(
      l10n.t('{0} is not valid, line {1}: {2}. Correct it, then try again.', file, error.line, error.message),
      file,
      error.line,
    );
  }
}

const MARK = '\ufeff';
const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(MARK.length) : text);

/** Edits a text, and keeps its byte order mark. */
export const edited = (text: string, edit: (text: string) => string): string =>
  (text.startsWith(MARK) ? MARK : '') + edit(withoutMark(text));

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
