/**
 * The contract of the two processes, imported by both: where a window writes its record, what stands in it, and how
 * the two sides of a fresh connection prove to each other that they know its token (the preamble).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { replaceFile } from '../util/replaceFile.ts';

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
}

export const RECORD_VERSION = 1;

/** The variable in a window's integrated terminals that names the window. */
export const WINDOW_VARIABLE = 'WORKSPACE_MCP_WINDOW';

/** The variable that moves the state directory. */
export const HOME_VARIABLE = 'WORKSPACE_MCP_HOME';

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

/** The record of one window, or undefined where there is none or it cannot be read. */
export function readRecord(home: string, id: string): WindowRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(recordPath(home, id), 'utf8'));
    return isRecord(record) && record.id === id ? record : undefined;
  } catch {
    return undefined; // gone, half a file of a crash, or another user's: not a window to us
  }
}

/** All readable records. Nothing is deleted here: a record may be of another machine or container that shares the home. */
export function readRecords(home: string): WindowRecord[] {
  let names: string[];
  try {
    names = readdirSync(windowsDirectory(home));
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.json') && isWindowId(name.slice(0, -5)))
    .map((name) => readRecord(home, name.slice(0, -5)))
    .filter((record) => record !== undefined);
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

/*
 * The preamble: four lines of JSON before any JSON-RPC, frozen with version 1.
 *
 *   shim   → {"workspaceMcp":1,"nonce":A,"probe"?:true}
 *   window → {"workspaceMcp":1,"nonce":B,"proof":HMAC(token, "window" A B),"responsive"?:boolean}
 *   shim   → {"proof":HMAC(token, "shim" A B),"cwd"?:string,"version"?:string,"resume"?:string}
 *   window → {"ok":true,"resume":string}
 *
 * The window proves itself first, so that an impostor of a freed pipe name learns nothing from us; a stranger who
 * connects sees one HMAC of a 32-byte secret and no more. Either side may answer {"workspaceMcp":1,"error":"…"} and
 * close. With "probe" the window first asks its workbench for a sign of life and says in "responsive" whether one came.
 */
export const PREAMBLE_VERSION = 1;

/** Longest preamble line, in bytes, and longest time for all of it, in milliseconds. */
export const PREAMBLE_MAX_LINE = 8 * 1024;
export const PREAMBLE_TIMEOUT = 5_000;

export interface ShimHello {
  workspaceMcp: number;
  nonce: string;
  probe?: boolean;
}

export interface WindowHello {
  workspaceMcp: number;
  nonce: string;
  proof: string;
  responsive?: boolean;
}

export interface ShimProof {
  proof: string;
  /** Working directory of the agent, for the list of connected agents. */
  cwd?: string;
  /** Version of the shim. */
  version?: string;
  /** Key of an earlier connection whose session choices this one goes on with. */
  resume?: string;
}

export interface WindowWelcome {
  ok: true;
  resume: string;
}

export interface Refusal {
  workspaceMcp: number;
  error: string;
}

/** Writes one line of the preamble. */
export const writePreambleLine = (
  socket: Duplex,
  line: ShimHello | WindowHello | ShimProof | WindowWelcome | Refusal,
): boolean => socket.write(`${JSON.stringify(line)}\n`);

/**
 * Reads one line of the preamble; the bytes behind it go back into the socket. Rejects when the line is too long or no
 * JSON object, and when the socket fails or closes first: a time limit is set by destroying the socket.
 */
export function readPreambleLine(socket: Duplex): Promise<Partial<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const settle = (error: Error | undefined, line?: string): void => {
      socket.off('readable', onReadable).off('error', settle).off('close', onClose);
      try {
        if (error) throw error;
        resolve(preambleObject(line ?? ''));
      } catch (problem) {
        reject(problem);
      }
    };
    const onClose = (): void => settle(new Error('The connection was closed during the preamble.'));
    const onReadable = (): void => {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) return;
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf(0x0a);
      if ((end < 0 ? read.length : end) > PREAMBLE_MAX_LINE) {
        settle(new Error(`A line of the preamble is longer than ${PREAMBLE_MAX_LINE} bytes.`));
      } else if (end >= 0) {
        if (end + 1 < read.length) socket.unshift(read.subarray(end + 1));
        settle(undefined, read.toString('utf8', 0, end));
      }
    };
    if (socket.destroyed) return onClose();
    socket.on('readable', onReadable).on('error', settle).on('close', onClose);
  });
}

function preambleObject(line: string): Partial<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Not said by JSON.parse's own message: it would quote the peer's bytes.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('A line of the preamble is not a JSON object.');
  }
  return value as Partial<Record<string, unknown>>;
}

export const newToken = (): string => randomBytes(32).toString('hex');
export const newNonce = (): string => randomBytes(16).toString('hex');

/** 32 hex digits: what a nonce has to be before it is hashed. */
export const isNonce = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

/** HMAC-SHA256 in hex. The side's name keeps one side's proof from being played back as the other's. */
export const proofOf = (
  side: 'window' | 'shim',
  token: string,
  shimNonce: string,
  windowNonce: string,
): string => createHmac('sha256', token).update(`${side}\n${shimNonce}\n${windowNonce}`).digest('hex');

/** Compares two proofs in constant time. */
export function sameProof(expected: string, given: unknown): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}
