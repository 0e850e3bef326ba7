/** The connection ended, so an open request gets no answer: it is unknown whether it took effect. */
export class ConnectionClosedError extends Error {
  override name = 'ConnectionClosedError';
}
