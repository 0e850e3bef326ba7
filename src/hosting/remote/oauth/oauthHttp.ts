import { UserError } from '../../../core/errors.ts';
import { type Fields, fieldsOf, isObject, parsedJson } from '../../../core/json.ts';
import { timeout } from '../../../util/clock.ts';
import { fetchWithinOrigin, OtherOriginError } from '../fetchWithinOrigin.ts';
import { readUpTo } from '../readUpTo.ts';

/** Longest answer, in bytes, and longest wait for it, in milliseconds. */
const LONGEST = 1024 * 1024;
const TIMEOUT = 30_000;

/** The authorization server refused a request (RFC 6749, section 5.2): trying again does not help. */
export class OAuthRefusalError extends UserError {
  override name = 'OAuthRefusalError';
}

/**
 * The JSON object at an address of the server's origin; undefined if there is none, as at a page that asks for a login.
 *
 * @throws UserError of the network; CancelledError
 */
export async function getJson(url: URL, signal: AbortSignal): Promise<Fields | undefined> {
  try {
    const response = await request(url, { headers: { accept: 'application/json' } }, signal);
    const value = parsedJson(await bodyOf(response, url));
    return response.ok && isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof OtherOriginError) return undefined;
    throw error;
  }
}

/** The answer to a form or a JSON text. @throws OAuthRefusalError; UserError of the network or server; CancelledError */
export async function post(
  url: URL,
  { body, headers = {} }: { body: URLSearchParams | string; headers?: Record<string, string> },
  signal: AbortSignal,
): Promise<Fields> {
  const type = typeof body === 'string' && { 'content-type': 'application/json' };
  const all = { accept: 'application/json', ...type, ...headers };
  const response = await request(url, { method: 'POST', body, headers: all }, signal);
  const answer = fieldsOf(parsedJson(await bodyOf(response, url)));
  // Some servers send errors with the status 200.
  if (response.ok && answer.error === undefined) return answer;
  const reason = [answer.error ?? `HTTP ${response.status}`, answer.error_description]
    .filter(Boolean)
    .join(': ');
  const message = `The authorization server ${url.origin} refused the request: ${reason}`;
  throw response.status < 500
    ? new OAuthRefusalError(message)
    : new UserError(`${message}. Try again later.`);
}

function request(url: URL, init: RequestInit, signal: AbortSignal): Promise<Response> {
  return fetchWithinOrigin(url, { ...init, signal: AbortSignal.any([signal, timeout(TIMEOUT)]) });
}

async function bodyOf(response: Response, { origin }: URL): Promise<string> {
  return await readUpTo(LONGEST, response).catch(() => {
    throw new UserError(
      `The answer of the authorization server ${origin} could not be read. Try again later.`,
    );
  });
}

/**
 * An address in metadata of the server.
 *
 * @param from the address of the server: only one on this machine may name others on this machine
 * @throws UserError unless it is https, or on this machine
 */
export function safeUrl(text: unknown, from: URL): URL {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && isLoopback(url) && isLoopback(from)) return url;
  throw new UserError(
    `The server ${from.origin} names an address for sign-in that is not https (${url?.origin ?? 'not a URL'}), so it is not used.`,
  );
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
