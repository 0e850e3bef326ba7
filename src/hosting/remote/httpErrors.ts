import { UserError } from '../../core/errors.ts';
import { fieldsOf, parsedJson } from '../../core/json.ts';
import { isAnswer } from '../../core/jsonRpc.ts';

/** The server answered with an HTTP status that is an error. */
export class HttpStatusError extends UserError {
  override name = 'HttpStatusError';
  readonly status: number;
  /** Of the response; empty if it is long. Never log it. */
  readonly body: string;

  constructor(status: number, message: string, body: string) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/**
 * Whether it can mean that the server does not know the session, as after a restart. MCP has 404 for that, but many servers answer
 * 400 (the SDK's examples do), which can also be about the request.
 */
export const mayMissSession = ({ status, body }: HttpStatusError): boolean => {
  const answer = parsedJson(body);
  return status === 400 && ((isAnswer(answer) && (answer.id ?? null) === null) || /session/i.test(body));
};

export const statusError = ({ status, headers }: Response, { origin }: URL, body: string): HttpStatusError =>
  new HttpStatusError(status, `The server ${origin} ${statusText(status, headers)}`, body);

function statusText(status: number, headers: Headers): string {
  const code = `(HTTP ${status})`;
  if (status === 401)
    return `needs authorization ${code}. Check the Authorization header in its definition; without one, the user can sign in.`;
  if (status === 403) return `denies access ${code}. Check that the account or token has the permission.`;
  if (status === 404 || status === 405)
    return `has no MCP server at this address ${code}. Check the URL in its definition.`;
  if (status === 429) return `got too many requests ${code}. Try again ${later(headers)}.`;
  if (status >= 500) return `failed ${code}. Try again ${later(headers)}.`;
  return `refused the request ${code}.`;
}

function later(headers: Headers): string {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? `in ${Math.ceil(seconds)} s` : 'later';
}

/** There was no response. */
export class NetworkError extends UserError {
  override name = 'NetworkError';
  /** Whether the server may have got the request. */
  readonly wasSent: boolean;

  constructor(message: string, wasSent: boolean) {
    super(message);
    this.wasSent = wasSent;
  }
}

/** Whether the connection broke: `fetch` throws a TypeError if it breaks within a body. */
export const isBroken = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof TypeError;

/** The reason why `fetch` failed, without path, query or headers. */
export function networkError({ origin, hostname }: URL, error: unknown): NetworkError {
  const cause = fieldsOf((error as Error).cause ?? error);
  const code = typeof cause.code === 'string' ? cause.code : String(cause.message);
  const wasSent = !NO_CONNECTION.test(code) && !UNTRUSTED.test(code);
  return new NetworkError(networkText(code, origin, hostname), wasSent);
}

/** Codes of Node for connections that never were. */
const NO_CONNECTION = /^(ENOTFOUND|EAI_|ECONNREFUSED|EHOST|ENET|ETIMEDOUT|UND_ERR_CONNECT|bad port)/;
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO|SSL|TLS/;

function networkText(code: string, origin: string, host: string): string {
  if (/^(ENOTFOUND|EAI_)/.test(code))
    return `The address ${host} was not found (${code}). Check the URL and the network.`;
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${origin} (${code}). Start the server, or check the URL.`;
  if (UNTRUSTED.test(code))
    return `No secure connection to ${origin} (${code}). Check the URL, or install the server's certificate authority.`;
  if (/TIMEDOUT|timeout/i.test(code))
    return `The server ${origin} did not answer in time (${code}). Try again later.`;
  return `The connection to ${origin} failed (${code}). Check the network, and try again.`;
}
