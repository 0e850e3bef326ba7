import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Fields } from '../core/json.ts';
import { readSmallFile } from '../util/diskPaths.ts';
import { type Format, ParseProblem, valueAt } from './formats/format.ts';
import {
  type AgentProgram,
  findEntry,
  type Machine,
  MOST_CONFIGURATION_BYTES,
  type Place,
} from './program.ts';

export interface ConfigurationFile {
  file: string;
  format: Format;
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
    const read = await readFileOf(place, file, machine);
    const servers = read.text === undefined ? undefined : valueAt(read.parse(read.text), place.path(machine));
    const entry = findEntry(servers, shim);
    return { ...read, ...(entry && { entry }) };
  };
  const all = await Promise.all((there.length > 0 ? there : files.slice(-1)).map(readOne));
  return all.find(({ entry }) => entry) ?? all[0];
}

/** @throws UserError if it is not UTF-8, and Node's errors */
export async function readFileOf(
  { format }: Pick<Place, 'format'>,
  file: string,
  machine: Machine,
): Promise<ConfigurationFile> {
  const text = await readText(file, machine);
  const parse = (any: string) => parsed(any, format, file, machine);
  return { file, format, parse, ...(text !== undefined && { text }) };
}

/** The text of a file with its byte order mark; undefined if there is none. @throws UserError if it is not UTF-8 */
export async function readText(file: string, { l10n }: Machine): Promise<string | undefined> {
  const bytes = await readSmallFile(file, MOST_CONFIGURATION_BYTES);
  if (bytes && !isUtf8(bytes))
    throw new UserError(l10n.t('{0} is not text in UTF-8, so it cannot be edited.', file));
  return bytes?.toString('utf8');
}

function parsed(text: string, format: Format, file: string, { l10n }: Machine): unknown {
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
