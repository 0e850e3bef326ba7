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
import { START_ANEW, UPDATE } from '../ipc/recordProblem.ts';

/** An agent's shim that has proved itself. */
export interface Peer {
  /** Working directory of the agent. */
  cwd?: string;
  /** Names the session: a shim that reconnects and knows the key of its last connection has the same one again. */
  resume: string;
}

export interface Host {
  /** Secret of the window's record. */
  token: string;
  /** Whether the workbench answers. Must not reject, and settles well within the time for the preamble. */
  isResponsive(): Promise<boolean>;
  /** Whether there is a session that goes by this key: a peer that presents it takes it up again. */
  knowsSession(resume: string): boolean;
}

/**
 * The window's side of the preamble. Rejects when the other side is no shim that knows the token; nothing that it sent
 * stands in the message. What follows the preamble is still in the socket.
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

/** Where its version is a number, the peer is a shim of an extension that was or will be. */
function shimVersionProblem(version: unknown): string {
  if (!Number.isInteger(version)) return 'The peer is no shim of Workspace MCP.';
  return Number(version) > PREAMBLE_VERSION
    ? `The shim is newer than this window, which speaks version ${PREAMBLE_VERSION} of the preamble. ${UPDATE}`
    : `The shim is older than this window, which speaks version ${PREAMBLE_VERSION} of the preamble. ${START_ANEW}`;
}
