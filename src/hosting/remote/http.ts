import { CancelledError, UserError } from '../../core/errors.ts';
import { fieldsOf, parsedJson } from '../../core/json.ts';
import { isAnswer } from '../../core/jsonRpc.ts';

const MOST_REDIRECTS = 5;

/**
 * `fetch` that follows redirects within the origin only, with method and body unchanged: headers and bodies hold secrets. It
 * is the global `fetch`, because VS Code adds proxies and certificates of the user to it, and not to `node:http`.
 *
 * @throws NetworkError; OtherOriginError; UserError that names the origin only: paths and queries may hold secrets; CancelledError
 */
export async function fetchWithinOrigin(url: URL, init: RequestInit): Promise<Response> {
  for (let address = url, count = 0; ; count++) {
    const response = await fetch(address, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      const { signal } = init;
      if (signal?.aborted && signal.reason?.name !== 'TimeoutError')
        throw new CancelledError('The request was cancelled.');
      throw new NetworkError(address, error);
    });
    if (![301, 302, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    const target = URL.parse(response.headers.get('location') ?? '', address.href);
    if (target?.origin !== url.origin) throw new OtherOriginError(url, target);
    if (count === MOST_REDIRECTS) throw new UserError(`The server ${url.origin} redirects in a circle.`);
    address = target;
  }
}

/** A redirect led to another origin, which was not asked. */
export class OtherOriginError extends UserError {
  override name = 'OtherOriginError';

  constructor({ origin }: URL, target: URL | null) {
    super(
      `The server ${origin} redirects to ${target?.origin ?? 'no valid address'}, which would get your headers. If you trust it, ask the user to change the URL in the server's definition.`,
    );
  }
}

/** The text of a response. @param limit most bytes. @throws TooLongError; what `fetch` throws if the connection breaks */
export async function readUpTo(limit: number, { body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > limit) throw new TooLongError(`The response is longer than ${limit} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The server sent more than is read. */
export class TooLongError extends Error {}

export class HttpStatusError extends UserError {
  override name = 'HttpStatusError';
  readonly status: number;
  /** The body of the response; empty if it is long. Never log it. */
  readonly body: string;

  constructor({ status, headers }: Response, { origin }: URL, body: string) {
    super(`The server ${origin} ${statusText(status, headers)}`);
    this.status = status;
    this.body = body;
  }

  /**
   * Whether it can mean that the server does not know the session, as after a restart. MCP has 404 for that, but many servers answer
   * 400 (the SDK's examples do), which can also be about the request.
   */
  get mayMissSession(): boolean {
    const answer = parsedJson(this.body);
    return (
      this.status === 400 &&
      ((isAnswer(answer) && (answer.id ?? null) === null) || /session/i.test(this.body))
    );
  }
}

function statusText(status: number, headers: Headers): string {
  const code = `(HTTP ${status})`;
  const seconds = Number(headers.get('retry-after'));
  const later = seconds > 0 ? `in ${Math.ceil(seconds)} s` : 'later';
  if (status === 401)
    return `needs authorization ${code}. Check the Authorization header in its definition; without one, the user can sign in.`;
  if (status === 403) return `denies access ${code}. Check that the account or token has the permission.`;
  if (status === 404 || status === 405)
    return `has no MCP server at this address ${code}. Check the URL in its definition.`;
  if (status === 429) return `got too many requests ${code}. Try again ${later}.`;
  if (status >= 500) return `failed ${code}. Try again ${later}.`;
  return `refused the request ${code}.`;
}

/** There was no response. The message has no path, query or headers. */
class NetworkError extends UserError {
  override name = 'NetworkError';
  /** Whether the server may have got the request. */
  readonly wasSent: boolean;

  /** @param error what `fetch` threw */
  constructor(url: URL, error: unknown) {
    const cause = fieldsOf((error as Error).cause ?? error);
    const code = typeof cause.code === 'string' ? cause.code : String(cause.message);
    super(networkText(code, url));
    this.wasSent = !NO_CONNECTION.test(code) && !UNTRUSTED.test(code);
  }
}

/** Whether the connection broke: `fetch` throws a TypeError if it breaks within a body. */
export const isBroken = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof TypeError;

/** Whether a request that failed so may have taken effect all the same. */
export const mayHaveEffect = (error: unknown): boolean =>
  isBroken(error) && !(error instanceof NetworkError && !error.wasSent);

/** Codes of Node for connections that never were. */
const NO_CONNECTION = /^(ENOTFOUND|EAI_|ECONNREFUSED|EHOST|ENET|ETIMEDOUT|UND_ERR_CONNECT|bad port)/;
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO|SSL|TLS/;

function networkText(code: string, { origin, hostname }: URL): string {
  if (/^(ENOTFOUND|EAI_)/.test(code))
    return `The address ${hostname} was not found (${code}). Check the URL and the network.`;
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${origin} (${code}). Start the server, or check the URL.`;
  if (UNTRUSTED.test(code))
    return `No secure connection to ${origin} (${code}). Check the URL, or install the server's certificate authority.`;
  if (/TIMEDOUT|timeout/i.test(code))
    return `The server ${origin} did not answer in time (${code}). Try again later.`;
  return `The connection to ${origin} failed (${code}). Check the network, and try again.`;
}
