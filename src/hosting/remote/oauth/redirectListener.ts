import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The texts of the page that the browser shows in the end. */
export interface RedirectPages {
  done: string;
  failed: string;
}

/** Any: a request names only its path. */
const ORIGIN = 'http://127.0.0.1';

/** Waits on this machine for the browser to come back from the authorization server (RFC 8252, section 7.3). */
export class RedirectListener {
  readonly #server: Server;
  readonly #state: string;
  readonly #pages: RedirectPages;
  readonly #response = Promise.withResolvers<URLSearchParams>();

  private constructor(state: string, pages: RedirectPages) {
    this.#state = state;
    this.#pages = pages;
    this.#server = createServer((request, response) => this.#handle(request, response));
  }

  /** Listens on a port that the system chooses. @param state requests with another one are refused */
  static async open(state: string, pages: RedirectPages): Promise<RedirectListener> {
    const listener = new RedirectListener(state, pages);
    await once(listener.#server.listen(0, '127.0.0.1'), 'listening');
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** The parameters with which the browser came. */
  get response(): Promise<URLSearchParams> {
    return this.#response.promise;
  }

  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  #handle({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = URL.parse(url, ORIGIN) ?? new URL('/no-url', ORIGIN); // as in "GET //"
    const isOurs = method === 'GET' && pathname === '/' && searchParams.get('state') === this.#state;
    const text = isOurs && searchParams.has('code') ? this.#pages.done : this.#pages.failed;
    response.writeHead(isOurs ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(text, () => isOurs && this.#response.resolve(searchParams));
  }
}
