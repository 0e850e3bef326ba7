import type { ResolvedRemote } from '../config/resolve/resolveRemote.ts';
import { type Challenge, type Credentials, challengeOf } from './credentials.ts';
import { fetchWithinOrigin } from './fetchWithinOrigin.ts';
import { statusError } from './httpErrors.ts';
import { readUpTo } from './readUpTo.ts';

/** Most bytes read of the response to a request that failed: a JSON-RPC error, or a page that nobody reads. */
const LONGEST_ERROR = 1024 * 1024;

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** Requests to one server, with the headers of its definition and its access token. */
export class RemoteHttp {
  readonly url: URL;
  readonly #headers: Record<string, string>;
  readonly #credentials: Credentials | undefined;

  /** @param credentials not used if the definition has an Authorization header */
  constructor({ url, headers }: ResolvedRemote, credentials?: Credentials) {
    this.url = url;
    this.#headers = headers;
    this.#credentials = new Headers(headers).has('authorization') ? undefined : credentials;
  }

  /**
   * The response, if its status is 2xx. A token that the server does not accept is refreshed once.
   *
   * @throws HttpStatusError; UserError of the network; SignInRequiredError; CancelledError
   */
  async send(request: HttpRequest, url = this.url): Promise<Response> {
    const token = await this.#credentials?.token();
    const response = await this.#fetch(request, url, token);
    const challenge = this.#credentials && challengeOf(response);
    if (!challenge) return await successOf(response, url);
    await response.body?.cancel();
    await this.#credentials.replace(token, challenge);
    return await this.#repeat(request, url, this.#credentials);
  }

  async #repeat(request: HttpRequest, url: URL, credentials: Credentials): Promise<Response> {
    const response = await this.#fetch(request, url, await credentials.token());
    const challenge: Challenge | undefined = challengeOf(response);
    if (challenge) credentials.demand(challenge);
    return await successOf(response, url);
  }

  #fetch({ headers, ...request }: HttpRequest, url: URL, token: string | undefined): Promise<Response> {
    const all = new Headers(this.#headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    if (token) all.set('authorization', `Bearer ${token}`);
    return fetchWithinOrigin(url, { ...request, headers: all });
  }
}

async function successOf(response: Response, url: URL): Promise<Response> {
  if (response.ok) return response;
  const body = await readUpTo(LONGEST_ERROR, response).catch(() => ''); // the status says enough
  throw statusError(response, url, body);
}
