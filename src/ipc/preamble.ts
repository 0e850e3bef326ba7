/**
 * The preamble of a connection, used by both sides: each proves that it knows the token of the window's record. Four lines
 * of JSON before any JSON-RPC, frozen with version 1.
 *
 *   shim   → {"workspaceMcp":1,"nonce":A,"probe"?:true}
 *   window → {"workspaceMcp":1,"nonce":B,"proof":HMAC(token, "window" A B),"responsive"?:boolean}
 *   shim   → {"proof":HMAC(token, "shim" A B),"cwd"?:string,"version"?:string,"resume"?:string,"session"?:string,"purpose"?:"hook"|"doctor"}
 *   window → {"ok":true,"resume":string}
 *
 * The window authenticates first, so that an impostor at a freed pipe name learns nothing from the shim. A stranger who
 * connects sees only one HMAC of a 32-byte secret. Either side may answer {"workspaceMcp":1,"error":"…"} and close. With
 * "probe" the window first checks its workbench and reports in "responsive" whether it responded. With the purpose "hook" the
 * connection carries one request of a hook and its answer instead of MCP; an older window refuses that request. With the purpose
 * "doctor" the window sends what it knows of agents, as JSON, and closes; an older window sends nothing.
 *
 * The goodbye is how a connection ends.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type Fields, isObject, parsedJson } from '../core/json.ts';

export const PREAMBLE_VERSION = 1;

/** Longest preamble line, in bytes, and time limit for the whole preamble, in milliseconds. */
export const PREAMBLE_MAX_LINE = 8 * 1024;
export const PREAMBLE_TIMEOUT = 5_000;

export interface ShimProof {
  proof: string;
  /** Working directory of the agent, for the list of connected agents. */
  cwd?: string;
  version?: string;
  /** Key of an earlier connection whose session this one resumes. */
  resume?: string;
  /** The agent's own id of its session, as its hooks tell it. */
  session?: string;
  /** Not an agent, but a hook of one, or the doctor in a terminal. */
  purpose?: 'hook' | 'doctor';
}

export const writePreambleLine = (socket: Duplex, line: object): boolean =>
  socket.write(`${JSON.stringify(line)}\n`);

/**
 * Reads one line of the preamble; the bytes after it go back into the socket. Rejects if the line is too long or not a
 * JSON object, or if the socket fails or closes first. For a time limit, the caller destroys the socket.
 */
export function readPreambleLine(socket: Duplex): Promise<Fields> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const settle = (error: Error | undefined, line?: string): void => {
      socket.off('readable', onReadable).off('error', settle).off('close', onClose);
      try {
        if (error) throw error;
        const value = parsedJson(line ?? '');
        if (!isObject(value)) throw new Error('A line of the preamble is not a JSON object.'); // that of JSON.parse would quote the peer
        resolve(value);
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

export const newNonce = (): string => randomBytes(16).toString('hex');

/** Whether a value is 32 hex digits: the format of nonces and resume keys. Checked before a nonce is hashed. */
export const isNonce = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

/** HMAC-SHA256 in hex. The side's name prevents replay of one side's proof as the other's. */
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

/**
 * Why a window says goodbye. `stopped`: until the user starts the server again. `restarting`: the server returns at once.
 * `disconnected`: the user disconnected this agent, so the shim must not reconnect.
 */
export type GoodbyeReason = 'stopped' | 'restarting' | 'disconnected';

export const GOODBYE = 'notifications/workspace-mcp/goodbye';

/**
 * The last line to each shim when the user stops the server or disconnects the agent, with its newline. A connection that ends
 * without it may be a reload, after which the window returns. The shim does not forward it to the agent.
 */
export const goodbyeLine = (reason: GoodbyeReason): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method: GOODBYE, params: { reason } })}\n`;
