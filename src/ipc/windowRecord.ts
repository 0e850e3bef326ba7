/**
 * The contract of the two processes, imported by both: where a window writes its record, and what stands in it. How
 * they prove to each other that they have read it is the preamble's.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { formatProblem, ownerProblem } from './recordProblem.ts';
import { replaceFile } from './replaceFile.ts';

/** One open window, as `windows/<id>.json` in the state directory describes it. */
export interface WindowRecord {
  /** Format of this record; a reader skips what it does not know. */
  version: typeof RECORD_VERSION;
  id: string;
  /** Process, machine and boot of the extension host: a record may lie in a home that several machines share. */
  pid: number;
  host: string;
  bootId: string;
  /** Unix domain socket, or `\\.\pipe\…` on Windows. */
  socketPath: string;
  /** Secret of 32 random bytes, in hex. It never crosses the socket. */
  token: string;
  workspaceFolders: { uri: string; name: string }[];
  /** URI of the `.code-workspace` file, where there is one. */
  workspaceFile?: string;
  ideName: string;
  ideVersion: string;
  extensionVersion: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  focusedAt: number;
  trusted: boolean;
  /** Of the tools that the shim answers without a window, those that are switched off here: the setting, by the tool's name. */
  toolsOff?: Record<string, string>;
}

export const RECORD_VERSION = 1;

/** The variable in a window's integrated terminals that names the window. */
export const WINDOW_VARIABLE = 'WORKSPACE_MCP_WINDOW';

/** The variable that moves the state directory. */
export const HOME_VARIABLE = 'WORKSPACE_MCP_HOME';

/** Secret of a record. */
export const newToken = (): string => randomBytes(32).toString('hex');

/** What an id may look like; checked before a path is made from one. */
export const isWindowId = (id: unknown): id is string =>
  typeof id === 'string' && /^[a-z0-9-]{1,64}$/.test(id);

/** The per-user state directory: `~/.workspace-mcp`, or what `WORKSPACE_MCP_HOME` names. */
export const stateDirectory = (env: NodeJS.ProcessEnv = process.env): string =>
  env[HOME_VARIABLE] ? resolve(env[HOME_VARIABLE]) : join(homedir(), '.workspace-mcp');

export const windowsDirectory = (home: string): string => join(home, 'windows');

export const recordPath = (home: string, id: string): string => {
  if (!isWindowId(id)) throw new Error(`"${id}" is not a window id: ids are made of a-z, 0-9 and "-".`);
  return join(windowsDirectory(home), `${id}.json`);
};

/** Writes a record so that a reader sees the old one or the new one, never a part. */
export function writeRecord(home: string, record: WindowRecord): void {
  mkdirSync(windowsDirectory(home), { recursive: true, mode: 0o700 });
  replaceFile(recordPath(home, record.id), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/** Removes the record, but only while it is still this window's (a successor may have taken the id over). */
export function removeRecord(home: string, id: string, token: string): void {
  if (readRecord(home, id)?.token === token) rmSync(recordPath(home, id), { force: true });
}

/** The record of one window, or undefined where there is none or it is none to us. */
export const readRecord = (home: string, id: string): WindowRecord | undefined =>
  readRecordFile(home, id)?.record;

/** All readable records. Nothing is deleted here: a record may be of another machine or container that shares the home. */
export const readRecords = (home: string): WindowRecord[] => lookAtRecords(home).records;

/** All readable records, and why others are not read. */
export function lookAtRecords(home: string): { records: WindowRecord[]; problems: string[] } {
  const files = namesIn(windowsDirectory(home))
    .filter((name) => name.endsWith('.json') && isWindowId(name.slice(0, -5)))
    .map((name) => readRecordFile(home, name.slice(0, -5)));
  return {
    records: files.flatMap((file) => file?.record ?? []),
    problems: files.flatMap((file) => file?.problem ?? []),
  };
}

/** The names in a directory; none where it cannot be read. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

interface RecordFile {
  record?: WindowRecord;
  problem?: string;
}

/** Undefined where there is no such file. Whose it is is asked of what has been opened: a path may lead elsewhere later. */
function readRecordFile(home: string, id: string): RecordFile | undefined {
  const path = recordPath(home, id);
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // a pipe would never open
    const stats = fstatSync(file);
    const problem = stats.isFile()
      ? ownerProblem(stats, path, process.getuid?.())
      : formatProblem(path, undefined, RECORD_VERSION);
    if (problem) return { problem };
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(record) && record.id === id) return { record };
    return { problem: formatProblem(path, (record as WindowRecord | null)?.version, RECORD_VERSION) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    // Not what JSON.parse says: it would quote the file.
    return {
      problem: code ? `${path} cannot be read: ${message}` : formatProblem(path, undefined, RECORD_VERSION),
    };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isRecord(value: unknown): value is WindowRecord {
  const record = value as WindowRecord;
  return (
    typeof value === 'object' &&
    value !== null &&
    record.version === RECORD_VERSION &&
    isWindowId(record.id) &&
    typeof record.socketPath === 'string' &&
    typeof record.token === 'string' &&
    record.token.length >= 32 &&
    Number.isInteger(record.pid) &&
    typeof record.host === 'string' &&
    typeof record.bootId === 'string' &&
    Number.isFinite(record.focusedAt) &&
    Array.isArray(record.workspaceFolders) &&
    record.workspaceFolders.every(
      (folder) => typeof folder?.uri === 'string' && typeof folder.name === 'string',
    )
  );
}
