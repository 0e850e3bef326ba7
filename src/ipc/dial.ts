import { watch } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { attempt } from '../core/errors.ts';
import type { Fields } from '../core/json.ts';
import { visible } from '../core/text/visible.ts';
import type { OpenWindow } from '../core/windowTools.ts';
import { clock } from '../util/clock.ts';
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
import { RESTART_AGENT, readRecords, UPDATE, type WindowRecord, windowsDirectory } from './windowRecord.ts';

/** Error code of a timeout: the window may only be busy. */
export const LATE = 'ETIMEDOUT';

/**
 * How long a window may take to answer, in milliseconds. Longer than the limit for its workbench; short enough that another
 * window, which waits for our proof, does not give up.
 */
export const HELLO_TIMEOUT = 3_000;

/** Longest part of an unauthenticated peer's reason that is shown, in UTF-16 units. */
const MAX_REASON = 300;

export interface Dialled {
  record: WindowRecord;
  socket: Socket;
  /** False if the window was probed and its workbench did not respond. */
  responsive: boolean;
  /** Sends our proof; then the socket carries JSON-RPC. Resolves to the resume key. */
  enter(about: Omit<ShimProof, 'proof'>): Promise<string>;
}

/**
 * Connects to the window of a record and authenticates it. Rejects, with the socket closed, if nothing listens there
 * (`ECONNREFUSED`, `ENOENT`), if the peer does not know the token, or after `timeout` milliseconds ({@link LATE}).
 * The caller owns the socket and destroys it. `enter` has its own time limit, because it may wait for other windows.
 */
export async function dial(
  record: WindowRecord,
  { probe = false, timeout = PREAMBLE_TIMEOUT }: { probe?: boolean; timeout?: number } = {},
): Promise<Dialled> {
  const socket = createConnection(record.socketPath);
  // Errors reach us through the line being read. Without a listener they would end the process.
  socket.on('error', () => {});
  let inTime = () => {};
  const limit = (ms: number): void => {
    inTime();
    const late = Object.assign(new Error(`Window ${record.id} did not answer within ${ms} ms.`), {
      code: LATE,
    });
    inTime = clock.after(ms, () => socket.destroy(late));
  };
  socket.once('close', () => inTime());
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
      inTime();
      return resume;
    };
    return { record, socket, responsive: hello.responsive !== false, enter };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Whether the workbench of a window responds. Rejects as {@link dial} does. */
export async function isResponsive(record: WindowRecord, timeout?: number): Promise<boolean> {
  const { socket, responsive } = await dial(record, { probe: true, ...(timeout && { timeout }) });
  socket.destroy();
  return responsive;
}

/** Whether a window answers within {@link HELLO_TIMEOUT}, and its workbench responds. If not, it may also be on another machine. */
export const responds = (record: WindowRecord): Promise<boolean> =>
  isResponsive(record, HELLO_TIMEOUT).catch(() => false);

function refuseUnlessWindow(hello: Fields, { id, token }: WindowRecord, nonce: string): void {
  // Our own text: the peer is not authenticated yet.
  if (Number.isInteger(hello.workspaceMcp) && hello.workspaceMcp !== PREAMBLE_VERSION)
    throw new Error(versionProblem(id, Number(hello.workspaceMcp)));
  if (typeof hello.error === 'string')
    throw new Error(`Window ${id} refused the connection: ${visible(hello.error.slice(0, MAX_REASON))}`);
  if (!sameProof(proofOf('window', token, nonce, String(hello.nonce)), hello.proof)) {
    throw new Error(`The process at the socket of window ${id} could not prove that it is that window.`);
  }
}

const versionProblem = (id: string, version: number): string =>
  version > PREAMBLE_VERSION
    ? `Window ${id} has a newer version of Workspace MCP than this shim. ${RESTART_AGENT}`
    : `Window ${id} has an older version of Workspace MCP than this shim. ${UPDATE}`;

async function welcome(socket: Socket, line: ShimProof): Promise<string> {
  const { cwd: _, ...withoutCwd } = line;
  // Escaped control characters can make the path too long. It is only for display.
  const fits = Buffer.byteLength(JSON.stringify(line)) <= PREAMBLE_MAX_LINE;
  writePreambleLine(socket, fits ? line : withoutCwd);
  const { ok, resume } = await readPreambleLine(socket);
  if (ok !== true || typeof resume !== 'string') throw new Error('The window did not accept the connection.');
  return resume;
}

/**
 * The windows of these records that answer with a responsive workbench, last focused first. Without the secrets of the
 * records (tokens, sockets).
 *
 * @param thisId id of the calling window, which is open
 */
export async function openWindows(records: readonly WindowRecord[], thisId?: string): Promise<OpenWindow[]> {
  const answers = await Promise.all(records.map((record) => record.id === thisId || responds(record)));
  return records
    .filter((_, index) => answers[index])
    .sort((a, b) => b.focusedAt - a.focusedAt)
    .map(({ id, workspaceFolders, ideName, ideVersion, trusted, focusedAt }) => ({
      id,
      trusted,
      focusedAt,
      isThis: id === thisId,
      ide: `${ideName} ${ideVersion}`,
      // A folder of another scheme, or of another machine, has its URI for its path.
      folders: workspaceFolders.map(({ uri, name }) => ({
        name,
        path: attempt(() => fileURLToPath(uri)) ?? uri,
      })),
    }));
}

/** The user's windows, for agents of one of them. @param home the state directory. @param id of that one */
export const windowsOf = (home: string, id: () => string | undefined) => ({
  list: () => openWindows(readRecords(home), id()),
  others: {
    has: () => readRecords(home).some((record) => record.id !== id()),
    watch: (onChange: () => void) => watchRecords(home, onChange),
  },
});

/** Calls the listener when a record comes or goes. Some file systems tell nothing, so look from time to time as well. */
export function watchRecords(home: string, listener: () => void): { dispose(): void } {
  const begin = () => watch(windowsDirectory(home), { persistent: false }, listener).on('error', () => {});
  const watcher = attempt(begin); // there may be no such directory yet
  return { dispose: () => watcher?.close() };
}
