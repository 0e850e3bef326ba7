import type { Duplex } from 'node:stream';
import {
  isNonce,
  newNonce,
  PREAMBLE_VERSION,
  proofOf,
  readPreambleLine,
  sameProof,
  writePreambleLine,
} from '../ipc/preamble.ts';
import { RESTART_AGENT, UPDATE } from '../ipc/recordProblem.ts';

/** An authenticated agent. */
export interface Peer {
  /** Its name, until it introduces itself. */
  name?: string;
  /** Working directory of the agent. */
  cwd?: string;
  /** Key of the session. A shim that reconnects with the key of its last connection resumes that session. */
  resume: string;
}

export interface Host {
  /** Secret of the window's record. */
  token: string;
  /** Whether the workbench responds. Must not reject, and must settle well within {@link PREAMBLE_TIMEOUT}. */
  isResponsive(): Promise<boolean>;
  /** Whether a session with this key can be resumed. */
  knowsSession(resume: string): boolean;
}

/**
 * The window's side of the preamble. Rejects if the peer is not a shim that knows the token; the message quotes nothing from
 * the peer. Bytes after the preamble stay in the socket.
 */
export async function acceptPeer(socket: Duplex, { token, isResponsive, knowsSession }: Host): Promise<Peer> {
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
  const resume = isNonce(answer.resume) && knowsSession(answer.resume) ? answer.resume : newNonce();
  writePreambleLine(socket, { ok: true, resume });
  return { resume, ...(typeof answer.cwd === 'string' && { cwd: answer.cwd }) };
}

/** A numeric version means a shim of another version of the extension. */
function shimVersionProblem(version: unknown): string {
  if (!Number.isInteger(version)) return 'The peer is not a Workspace MCP shim.';
  return Number(version) > PREAMBLE_VERSION
    ? `The shim is newer than this window, which speaks version ${PREAMBLE_VERSION} of the preamble. ${UPDATE}`
    : `The shim is older than this window, which speaks version ${PREAMBLE_VERSION} of the preamble. ${RESTART_AGENT}`;
}
