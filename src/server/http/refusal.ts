import type { ServerResponse } from 'node:http';
import { errorReply, INVALID_REQUEST, type RequestId } from '../../core/jsonRpc.ts';

/** Codes of JSON-RPC errors that come with an HTTP status. */
export const SESSION_NOT_FOUND = -32001;
export const HEADER_MISMATCH = -32020;

interface More {
  code?: number;
  data?: object;
  id?: RequestId | null;
  headers?: Record<string, string>;
}

/** An HTTP request that is answered by an error, before any session has seen it. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly more: More;

  constructor(status: number, message: string, more: More = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }

  send(response: ServerResponse, headers: Record<string, string>): void {
    if (response.headersSent || response.destroyed) return;
    const { id = null, code = INVALID_REQUEST, data, headers: own } = this.more;
    response
      .writeHead(this.status, { 'Content-Type': 'application/json', ...headers, ...own })
      .end(JSON.stringify(errorReply(id, code, this.message, data)));
  }
}
