/**
 * The contract between window and shim: the path and content of a window's record. The preamble is how they prove to each
 * other that they know its token.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { homedir, hostname, uptime } from 'node:os';
import { join, resolve } from 'node:path';
import { isObject } from '../core/json.ts';
import { entryNamesIn, readIfThere } from '../util/diskPaths.ts';
import { directoryProblem, ownerProblem } from './privateDirectory.ts';
import { replaceFile } from './replaceFile.ts';

/** One open window: the content of `windows/<id>.json` in the state directory. */
export interface WindowRecord {
  /** Format of this record; readers skip unknown ones. */
  version: typeof RECORD_VERSION;
  id: string;
  /** Process, machine and boot of the extension host: several machines may share the home directory. */
  pid: number;
  host: string;
  bootId: string;
  /** Unix domain socket, or `\\.\pipe\…` on Windows. */
  socketPath: string;
  /** Secret of 32 random bytes, in hex. It never crosses the socket. */
  token: string;
  workspaceFolders: { uri: string; name: string }[];
  /** URI of the `.code-workspace` file, if any. */
  workspaceFile?: string;
  ideName: string;
  ideVersion: string;
  extensionVersion: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  focusedAt: number;
  trusted: boolean;
  /** Tools that are disabled here and that the shim answers without a window: tool name to the responsible setting. */
  toolsOff?: Record<string, string>;
  /** Port on the loopback interface, while MCP over HTTP is on. */
  httpPort?: number | undefined;
}

export const RECORD_VERSION = 1;

/** Environment variable with the window id in a window's integrated terminals. */
export const WINDOW_VARIABLE = 'WORKSPACE_MCP_WINDOW';

/** Environment variable that moves the state directory. */
export const HOME_VARIABLE = 'WORKSPACE_MCP_HOME';

export const newToken = (): string => randomBytes(32).toString('hex');

/** Whether a value is a valid window id. Checked before a path is built from it. */
export const isWindowId = (id: unknown): id is string =>
  typeof id === 'string' && /^[a-z0-9-]{1,64}$/.test(id);

/** The per-user state directory: `~/.workspace-mcp`, or the value of `WORKSPACE_MCP_HOME`. */
export const stateDirectory = (env: NodeJS.ProcessEnv = process.env): string =>
  env[HOME_VARIABLE] ? resolve(env[HOME_VARIABLE]) : join(homedir(), '.workspace-mcp');

export const windowsDirectory = (home: string): string => join(home, 'windows');

export const recordPath = (home: string, id: string): string => {
  if (!isWindowId(id)) throw new Error(`"${id}" is not a window id: ids are made of a-z, 0-9 and "-".`);
  return join(windowsDirectory(home), `${id}.json`);
};

/** Writes a record atomically. @throws Error of the system */
export function writeRecord(home: string, record: WindowRecord): void {
  mkdirSync(windowsDirectory(home), { recursive: true, mode: 0o700 });
  replaceFile(recordPath(home, record.id), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/** Removes the record if it is still this window's: a successor may have taken over the id. */
export function removeRecord(home: string, id: string, token: string): void {
  if (readRecord(home, id)?.token === token) rmSync(recordPath(home, id), { force: true });
}

/** The record of one window; undefined if it is missing, invalid or not trusted. */
export const readRecord = (home: string, id: string): WindowRecord | undefined =>
  readRecordFile(home, id)?.record;

/** All readable records. Deletes none: other machines or containers may share the home directory. */
export const readRecords = (home: string): WindowRecord[] => lookAtRecords(home).records;

export interface FoundRecords {
  records: WindowRecord[];
  /** Why others are not read. */
  problems: string[];
}

/** All readable records, and the problems of the others. */
export function lookAtRecords(home: string): FoundRecords {
  const files = entryNamesIn(windowsDirectory(home))
    .filter((name) => name.endsWith('.json') && isWindowId(name.slice(0, -5)))
    .map((name) => readRecordFile(home, name.slice(0, -5)));
  return {
    records: files.flatMap((file) => file?.record ?? []),
    problems: files.flatMap((file) => file?.problem ?? []),
  };
}

/**
 * The records of the user's own windows, and why others are not read. None if other users can access the state directory:
 * they could have planted records that lead agents to their windows.
 */
export function trustedRecords(home: string): FoundRecords {
  const uid = process.getuid?.();
  const problem = directoryProblem(home, uid) ?? directoryProblem(windowsDirectory(home), uid);
  return problem === undefined ? lookAtRecords(home) : { records: [], problems: [problem] };
}

/** Undefined if there is no such file. The owner is checked on the open file, because the path may change meanwhile. */
function readRecordFile(home: string, id: string): { record?: WindowRecord; problem?: string } | undefined {
  const path = recordPath(home, id);
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // opening a pipe would block
    const stats = fstatSync(file);
    const problem = stats.isFile() ? ownerProblem(stats, path, process.getuid?.()) : formatProblem(path);
    if (problem) return { problem };
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(record) && record.id === id) return { record };
    return { problem: formatProblem(path, (record as WindowRecord | null)?.version) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    // Not the message of JSON.parse: it would quote the file.
    return { problem: code ? `${path} cannot be read: ${message}` : formatProblem(path) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isRecord(value: unknown): value is WindowRecord {
  const record = value as WindowRecord;
  return (
    isObject(value) &&
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

/** The problem of a file that this program cannot read as a record. @param version format of the file, if any */
function formatProblem(path: string, version?: unknown): string {
  if (!Number.isInteger(version) || version === RECORD_VERSION)
    return `${path} is not the record of a window. Remove it; reload the window if it is open.`;
  return Number(version) > RECORD_VERSION
    ? `${path} was written by a newer Workspace MCP than this program. ${RESTART_AGENT}`
    : `${path} was written by an older Workspace MCP than this program. ${UPDATE}`;
}

/** What to do if a shim is older than the window. */
export const RESTART_AGENT =
  'Restart the agent, so that it runs the installed shim. "Workspace MCP: Copy Agent Configuration" shows the path of that shim.';

/** What to do if a window is older than the shim. */
export const UPDATE = 'Update the extension Workspace MCP in that VS Code, then reload its window.';

/** Name of this machine or container. Pids and sockets of another one have no meaning here. */
export const hostId = (): string => hostname();

/**
 * Id of this boot. If the system has none, the boot time rounded to two minutes, because the clock is adjusted. If it
 * changes by mistake, only a stale record is not cleaned up.
 */
export const bootId = (): string =>
  readIfThere('/proc/sys/kernel/random/boot_id')?.toString().trim() ??
  `boot-${Math.round((Date.now() / 1000 - uptime()) / 120)}`;

/** Whether a record is of this machine and boot. Then a socket that refuses belongs to a dead process. */
export const isOfThisBoot = (record: { host: string; bootId: string }): boolean =>
  record.host === hostId() && record.bootId === bootId();
