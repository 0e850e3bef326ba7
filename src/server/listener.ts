import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type GoodbyeReason,
  goodbyeLine,
  isNonce,
  newNonce,
  PREAMBLE_TIMEOUT,
  PREAMBLE_VERSION,
  proofOf,
  readPreambleLine,
  type ShimProof,
  sameProof,
  writePreambleLine,
} from '../ipc/preamble.ts';
import { RESTART_AGENT, UPDATE } from '../ipc/windowRecord.ts';
import { clock } from '../util/clock.ts';
import type { Log } from '../util/log.ts';

export interface AgentPeer {
  /** Its name, until it introduces itself. */
  name?: string;
  cwd?: string;
  /** Key of the session. A shim that reconnects with the key of its last connection resumes that session. */
  resume: string;
  /** The agent's own id of its session. */
  session?: string;
  /** A hook of an agent, with one event, or the doctor in a terminal: no agents. */
  purpose?: NonNullable<ShimProof['purpose']>;
}

interface Host {
  /** Secret of the window's record. */
  token: string;
  /** Whether the workbench responds. Must not reject, and must settle well within {@link PREAMBLE_TIMEOUT}. */
  isResponsive(): Promise<boolean>;
  /** Whether a session with this key can be resumed. Must not reject. */
  knowsSession(resume: string): boolean | Promise<boolean>;
}

export interface ListenerOptions extends Host {
  /** Unix domain socket, or `\\.\pipe\…` on Windows. */
  socketPath: string;
  /** Serves an authenticated peer. The listener destroys the socket if this fails, and when it is closed. */
  openSession(socket: Socket, peer: AgentPeer): void | Promise<void>;
  /** Called when {@link Listener.connections} has changed. */
  onConnectionsChange?: () => void;
  log: Log;
}

/** Most unauthenticated connections: a stranger must not use up the file descriptors. */
const MAX_UNPROVEN = 32;

/** How long a shim may take to read a goodbye and end its side, in milliseconds. */
const GOODBYE_TIMEOUT = 500;

export interface Listener {
  /** How many agents are connected: hooks and doctors come and go. */
  readonly connections: number;
  /**
   * Closes all connections and removes the socket, synchronously: VS Code does not wait for a closing window.
   *
   * @param goodbye reason sent to shims; their connections end when the shims close them, or after {@link GOODBYE_TIMEOUT}
   */
  close(goodbye?: GoodbyeReason): void;
}

/** Starts listening. Rejects if the path cannot be bound. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { socketPath, log } = options;
  const connections: Connections = { unproven: new Set(), proven: new Map() };
  const server = createServer((socket) => void admit(socket, connections, options));
  try {
    server.listen(socketPath);
    await once(server, 'listening');
    server.on('error', (error) => log.error(error));
    // The directory already keeps other users out; this shows it on the file too.
    if (!isPipe(socketPath)) chmodSync(socketPath, 0o600);
  } catch (error) {
    server.close();
    throw error;
  }
  const { unproven, proven } = connections;
  return {
    get connections() {
      return [...proven.values()].filter(({ purpose }) => !purpose).length;
    },
    close(goodbye) {
      server.close();
      for (const socket of unproven) socket.destroy();
      for (const socket of proven.keys()) {
        if (goodbye) sayGoodbye(socket, goodbye);
        else socket.destroy();
      }
      removeSocket(socketPath);
    },
  };
}

interface Connections {
  unproven: Set<Socket>;
  proven: Map<Socket, AgentPeer>;
}

async function admit(socket: Socket, { unproven, proven }: Connections, options: ListenerOptions) {
  const { openSession, onConnectionsChange, log } = options;
  // A failing peer needs no handling here: every reader gets "close".
  socket.on('error', () => {});
  const [oldest] = unproven;
  if (oldest && unproven.size >= MAX_UNPROVEN) {
    // Shims authenticate at once, so close the oldest: refusing new ones would lock agents out.
    log.warn(`Closed a connection: ${MAX_UNPROVEN} others are not authenticated either.`);
    unproven.delete(oldest);
    oldest.destroy();
  }
  const inTime = clock.after(PREAMBLE_TIMEOUT, () => socket.destroy());
  socket.once('close', inTime);
  unproven.add(socket);
  try {
    const peer = await acceptPeer(socket, options);
    inTime();
    if (socket.destroyed) throw new Error('The peer closed the connection.');
    unproven.delete(socket);
    proven.set(socket, peer);
    socket.once('close', () => {
      proven.delete(socket);
      onConnectionsChange?.();
    });
    onConnectionsChange?.();
    await openSession(socket, peer);
  } catch (error) {
    log.debug(`Closed a connection: ${(error as Error).message}`);
    socket.destroySoon(); // flushes a refusal first
  } finally {
    unproven.delete(socket);
  }
}

/**
 * The window's side of the preamble. Rejects if the peer is not a shim that knows the token; the message quotes nothing from
 * the peer. Bytes after the preamble stay in the socket.
 */
async function acceptPeer(socket: Duplex, { token, isResponsive, knowsSession }: Host): Promise<AgentPeer> {
  const hello = await readPreambleLine(socket);
  if (hello.workspaceMcp !== PREAMBLE_VERSION) {
    const error = shimVersionProblem(hello.workspaceMcp);
    writePreambleLine(socket, { workspaceMcp: PREAMBLE_VERSION, error });
    socket.end();
    throw new Error(error);
  }
  if (!isNonce(hello.nonce)) throw new Error('The peer sent no nonce.');
  const nonce = newNonce();
  const responsive = hello.probe === true ? { responsive: await isResponsive() } : {};
  const proof = proofOf('window', token, hello.nonce, nonce);
  writePreambleLine(socket, { workspaceMcp: PREAMBLE_VERSION, nonce, proof, ...responsive });

  const answer = await readPreambleLine(socket);
  if (!sameProof(proofOf('shim', token, hello.nonce, nonce), answer.proof)) {
    throw new Error('The peer does not know the token of this window.');
  }
  const { resume: wanted } = answer;
  const resume = isNonce(wanted) && (await knowsSession(wanted)) ? wanted : newNonce();
  writePreambleLine(socket, { ok: true, resume });
  const { cwd, session, purpose } = answer;
  return {
    resume,
    ...(typeof cwd === 'string' && { cwd }),
    ...(typeof session === 'string' && { session }),
    ...((purpose === 'hook' || purpose === 'doctor') && { purpose }),
  };
}

/** A numeric version means a shim of another version of the extension. */
function shimVersionProblem(version: unknown): string {
  if (!Number.isInteger(version)) return 'The peer is not a Workspace MCP shim.';
  return Number(version) > PREAMBLE_VERSION
    ? `The shim is newer than this window, which speaks version ${PREAMBLE_VERSION} of the preamble. ${UPDATE}`
    : `The shim is older than this window, which speaks version ${PREAMBLE_VERSION} of the preamble. ${RESTART_AGENT}`;
}

/** Sends the last line. A session writes and reads nothing after its socket has been ended. */
function sayGoodbye(socket: Socket, reason: GoodbyeReason): void {
  socket.once(
    'close',
    clock.after(GOODBYE_TIMEOUT, () => socket.destroy(), true),
  );
  // Not destroyed after the write: with unread data from the shim, that would be a connection error for it.
  socket.end(goodbyeLine(reason));
}

/** Does nothing for a Windows pipe, which ends with its process. */
export function removeSocket(socketPath: string): void {
  if (!isPipe(socketPath)) rmSync(socketPath, { force: true });
}

const isPipe = (socketPath: string): boolean => socketPath.startsWith('\\\\.\\pipe\\');
