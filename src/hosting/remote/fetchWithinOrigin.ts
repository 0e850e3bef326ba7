import { CancelledError, UserError } from '../../core/errors.ts';
import { networkError } from './httpErrors.ts';

const MOST_REDIRECTS = 5;

/** A redirect led to another origin, which was not asked. */
export class OtherOriginError extends UserError {
  override name = 'OtherOriginError';
}

/**
 * `fetch` that follows redirects within the origin only, with method and body unchanged: headers and bodies hold secrets. It
 * is the global `fetch`, because VS Code adds proxies and certificates of the user to it, and not to `node:http`.
 *
 * @throws UserError that names the origin only: paths and queries may hold secrets; CancelledError
 */
export async function fetchWithinOrigin(url: URL, init: RequestInit): Promise<Response> {
  for (let address = url, count = 0; ; count++) {
    const response = await tryFetch(address, init);
    if (![301, 302, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    address = redirectedTo(response, address);
    if (count === MOST_REDIRECTS) throw new UserError(`The server ${url.origin} redirects in a circle.`);
  }
}

async function tryFetch(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' });
  } catch (error) {
    const { signal } = init;
    if (signal?.aborted && signal.reason?.name !== 'TimeoutError')
      throw new CancelledError('The request was cancelled.');
    throw networkError(url, error);
  }
}

function redirectedTo(response: Response, from: URL): URL {
  const target = URL.parse(response.headers.get('location') ?? '', from.href);
  if (target?.origin === from.origin) return target;
  throw new OtherOriginError(
    `The server ${from.origin} redirects to ${target?.origin ?? 'no valid address'}, which would get your headers. If you trust it, ask the user to change the URL in the server's definition.`,
  );
}
