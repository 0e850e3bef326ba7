import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { UserError } from '../core/errors.ts';
import type { Fields } from '../core/json.ts';
import { readSmallFile } from '../disk/paths.ts';
import { findEntry } from './entry.ts';
import { ParseProblem, valueAt } from './formats/format.ts';
import { type Machine, MOST_CONFIGURATION_BYTES, type Place } from './program.ts';

/** An agent's configuration file as it is on disk. */
export interface ConfigurationFile {
  file: string;
  /** Undefined if there is no such file. */
  text?: string;
  /** Our entry. */
  entry?: { name: string; value: Fields };
  /** The value of a text of this file. @throws InvalidFile */
  parse(text: string): unknown;
}

/** A configuration file that is not valid. */
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
  const parseOf = (file: string) => (text: string) => parsed(text, place, file, machine);
  const readOne = async (file: string): Promise<ConfigurationFile> => {
    const parse = parseOf(file);
    const text = await readText(file, machine);
    if (text === undefined) return { file, parse };
    const entry = findEntry(valueAt(parse(text), place.path(machine)), shim);
    return { file, parse, text, ...(entry && { entry }) };
  };
  const all = await Promise.all(there.map(readOne));
  const found = all.find(({ entry }) => entry) ?? all[0];
  const last = files.at(-1);
  return found ?? (last === undefined ? undefined : { file: last, parse: parseOf(last) });
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
