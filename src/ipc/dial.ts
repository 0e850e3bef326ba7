import { createConnection, type Socket } from 'node:net';
import type { Fields } from '../core/json.ts';
import { visible } from '../core/text/escapeInvisible.ts';
import {
  newNonce,
  PREAMBLE_MAX_LINE,
  PREAMBLE_TIMEOUT,
  PREAMBLE_VERSION,
  proofOf,
  readPreambleLine,
  type ShimProof,
  sameProof,
  writePreambleLine,
} from './preamble.ts';
import { START_ANEW, UPDATE } from './recordProblem.ts';
import type { WindowRecord } from './windowRecord.ts';

/** Code of the error where a window takes too long: it may just be busy. */
export const LATE = 'ETIMEDOUT';

/** How much of a reason that a stranger gives is shown, in characters. */
const MAX_REASON = 300;

/** A window that has proved itself and waits for our proof. */
export interface Dialled {
  record: WindowRecord;
  socket: Socket;
  /** False when the window was asked for a sign of life and its workbench gave none. */
  responsive: boolean;
  /** Proves us to the window in turn; afterwards the socket carries JSON-RPC. Resolves to the resume key. */
  enter(about: Omit<ShimProof, 'proof'>): Promise<string>;
}

/**
 * Connects to the window of a record and lets it prove itself. Rejects, with the socket closed, when nothing listens
 * there (`ECONNREFUSED`, `ENOENT`), when what listens does not know the token, or after `timeout` milliseconds.
 * The caller owns the socket and destroys it. Entering has a time limit of its own: it may have to wait for what other
 * windows say.
 */
export async function dial(
  record: WindowRecord,
  { probe = false, timeout = PREAMBLE_TIMEOUT }: { probe?: boolean; timeout?: number } = {},
): Promise<Dialled> {
  const socket = createConnection(record.socketPath);
  // Failures reach us through the line that is being read; without a listener they would end the process.
  socket.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  const limit = (ms: number): void => {
    clearTimeout(timer);
    const late = Object.assign(new Error(`Window ${record.id} did not answer within ${ms} ms.`), {
      code: LATE,
    });
    timer = setTimeout(() => socket.destroy(late), ms);
  };
  socket.once('close', () => clearTimeout(timer));
  limit(timeout);
  try {
    const nonce = newNonce();
    writePreambleLine(socket, { workspaceMcp: PREAMBLE_VERSION, nonce, ...(probe && { probe }) });
    const hello = await readPreambleLine(socket);
    refuseUnlessWindow(hello, record, nonce);
    limit(PREAMBLE_TIMEOUT);
    const proof = proofOf('shim', record.token, nonce, String(hello.nonce));
    const enter: Dialled['enter'] = async (about) => {
      const resume = await welcome(socket, { ...about, proof });
      clearTimeout(timer);
      return resume;
    };
    return { record, socket, responsive: hello.responsive !== false, enter };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Whether the workbench of a window gives a sign of life. Rejects as {@link dial} does. */
export async function isResponsive(record: WindowRecord, timeout?: number): Promise<boolean> {
  const { socket, responsive } = await dial(record, { probe: true, ...(timeout && { timeout }) });
  socket.destroy();
  return responsive;
}

function refuseUnlessWindow(hello: Fields, { id, token }: WindowRecord, nonce: string): void {
  // Said in our own words: what listens there has proved nothing yet.
  if (Number.isInteger(hello.workspaceMcp) && hello.workspaceMcp !== PREAMBLE_VERSION)
    throw new Error(versionProblem(id, Number(hello.workspaceMcp)));
  if (typeof hello.error === 'string')
    throw new Error(`Window ${id} refused the connection: ${visible(hello.error.slice(0, MAX_REASON))}`);
  if (!sameProof(proofOf('window', token, nonce, String(hello.nonce)), hello.proof)) {
    throw new Error(`What listens at the socket of window ${id} could not prove that it is that window.`);
  }
}

const versionProblem = (id: string, version: number): string =>
  version > PREAMBLE_VERSION
    ? `Window ${id} has a newer version of Workspace MCP than this shim. ${START_ANEW}`
    : `Window ${id} has an older version of Workspace MCP than this shim. ${UPDATE}`;

async function welcome(socket: Socket, line: ShimProof): Promise<string> {
  const { cwd: _, ...withoutCwd } = line;
  // A path of many control characters can be too long for the preamble; it is only for show.
  const fits = Buffer.byteLength(JSON.stringify(line)) <= PREAMBLE_MAX_LINE;
  writePreambleLine(socket, fits ? line : withoutCwd);
  const { ok, resume } = await readPreambleLine(socket);
  if (ok !== true || typeof resume !== 'string') throw new Error('The window did not accept the connection.');
  return resume;
}
