import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { attempt } from '../../core/errors.ts';
import { MAX_LINE } from '../../core/jsonRpc.ts';
import { clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import { corsOf, type Gate, ownerOf, requireLocal, type TokenOwner } from './gate.ts';
import { HttpChannels, type ServeChannel } from './httpChannels.ts';
import { exchange, type Protocol } from './mcpEndpoint.ts';
import { bodyOf, HttpRefusal, SESSION_NOT_FOUND } from './requests.ts';
import { SseChannel, webSocketChannel } from './sseAndWebSocket.ts';

/** Limits on connections: a stranger must not use up the file descriptors, nor the memory. Times are in milliseconds. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};
/** How long clients may take to read the last answers, in milliseconds. */
const GRACE = 500;
/** Most connections that have sent no token yet: the oldest makes room. */
const MOST_UNPROVEN = 64;

export interface HttpOptions extends Gate {
  protocol: Protocol;
  serve: ServeChannel;
  /** Undefined if the name is of a folder of this window; else what the client is told. */
  elsewhere(folder: string): string | undefined;
  log: Log;
}

/** A path, with the folder whose window is meant: `/w/FOLDER/mcp` or `/mcp`. Gateways and SDKs add or remove a slash at the end. */
const PATH = /^(?:\/w\/([^/]+))?\/(mcp|sse|messages|ws)\/?$/;

/** Other upgrades (Java's HTTP client offers `h2c` to every server) are ignored, as RFC 9110 (7.8) allows: the answer is HTTP/1.1. */
class Request extends IncomingMessage {
  /** Node sets it in the constructor, before fields are there. */
  declare offered: boolean;

  set upgrade(offered: boolean) {
    this.offered = offered;
  }
  /** Node asks when it has read the headers, before the body. */
  get upgrade(): boolean {
    const isWebSocket = /\bwebsocket\b/i.test(this.headers.upgrade ?? '');
    return this.offered && (isWebSocket || this.method === 'CONNECT');
  }
}

/** Serves MCP on the loopback interface: leads requests to their transport, by the path, once the headers say that they may come in. */
export class HttpServer {
  readonly #options: HttpOptions;
  readonly #server = createServer(
    { ...LIMITS, IncomingMessage: Request },
    (request, response) => void this.#take(request, response),
  )
    .on('connection', (socket) => this.#connected(socket))
    .on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
    .on('clientError', (_error, socket) => socket.destroy());
  readonly #channels: HttpChannels;
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_LINE,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: (offered) => offered.has('mcp') && 'mcp',
  });
  readonly #unproven = new Set<Socket>();

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#channels = new HttpChannels(options.serve);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** @param port 0 for any free one. @returns false if another program has it, or we may not have it */
  async listen(port: number): Promise<boolean> {
    const { log } = this.#options;
    try {
      this.#server.listen(port, '127.0.0.1');
      await once(this.#server, 'listening');
      this.#server.on('error', (error) => log.error(error));
      return true;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (port !== 0 && /^(EADDRINUSE|EACCES)$/.test(code)) log.warn(`Port ${port} is taken.`);
      else {
        this.close();
        throw error;
      }
      return false;
    }
  }

  /** Ends what tokens have open that are not there any more. */
  ownersChanged(): void {
    this.#channels.keepOf(this.#options.owners());
  }

  close(): void {
    this.#channels.dispose();
    this.#webSockets.close();
    this.#server.close();
    clock.after(GRACE, () => this.#server.closeAllConnections(), true); // the last answers are on their way
  }

  #connected(socket: Socket): void {
    const [oldest] = this.#unproven;
    if (oldest && this.#unproven.size >= MOST_UNPROVEN) oldest.destroy();
    this.#unproven.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#unproven.delete(socket));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = corsOf(request.headers.origin, this.#options) ?? {};
    try {
      await this.#answer(request, response, headers);
    } catch (error) {
      this.#refusalBy(error).send(response, headers);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>) {
    requireLocal(request.headers, this.#options);
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined)
      return void response.writeHead(204, headers).end();
    const { url, owner, kind } = this.#admit(request);
    const to = `${request.method} ${kind}`;
    const admit = () => void ownerOf(request.headers, this.#options);
    if (kind === 'mcp') {
      const { protocol } = this.#options;
      await exchange({ request, response, owner, admit, headers, protocol, channels: this.#channels });
    } else if (to === 'GET sse') await this.#openStream(response, headers, owner, url);
    else if (to === 'POST messages') {
      const text = await bodyOf(request);
      admit();
      await this.#channelOf(owner, url).take(text);
      response.writeHead(202, headers).end();
    } else {
      const headers = { Allow: kind === 'sse' ? 'GET' : 'POST' };
      throw new HttpRefusal(405, `There is no ${request.method} for ${url.pathname}.`, { headers });
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      requireLocal(request.headers, this.#options);
      const { owner, kind } = this.#admit(request);
      if (kind !== 'ws')
        throw new HttpRefusal(400, 'Only /ws is for WebSockets. Send other requests without Upgrade.');
      this.#channels.requireRoom(owner);
      this.#webSockets.handleUpgrade(request, socket, head, (client) => this.#openSocket(client, owner));
    } catch (error) {
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket as Socket);
      response.once('finish', () => (socket as Socket).destroySoon());
      this.#refusalBy(error).send(response, {});
    }
  }

  #refusalBy(error: unknown): HttpRefusal {
    if (error instanceof HttpRefusal) return error;
    this.#options.log.debug(`HTTP: ${(error as Error).message}`);
    return new HttpRefusal(500, 'The request failed inside the extension.', { code: -32603 });
  }

  /** Decides by the headers alone. @throws HttpRefusal */
  #admit({ headers, socket, url: path = '/' }: IncomingMessage) {
    const owner = ownerOf(headers, this.#options);
    this.#unproven.delete(socket);
    const url = URL.parse(path, 'http://localhost');
    const [, folder, kind] = PATH.exec(url?.pathname ?? '') ?? [];
    if (!url || !kind)
      throw new HttpRefusal(404, 'There are /mcp, /sse and /ws, and the same behind /w/FOLDER.');
    const name = folder && (attempt(() => decodeURIComponent(folder)) ?? folder);
    const elsewhere = name === undefined ? undefined : this.#options.elsewhere(name);
    if (elsewhere) throw new HttpRefusal(421, elsewhere);
    return { url, owner, kind };
  }

  #openSocket(client: WebSocket, owner: TokenOwner): void {
    client.pause(); // until the session takes messages
    this.#channels.open(randomUUID(), webSocketChannel(client), owner).then(
      () => client.resume(),
      () => client.terminate(),
    );
  }

  async #openStream(response: ServerResponse, headers: Record<string, string>, owner: TokenOwner, url: URL) {
    this.#channels.requireRoom(owner);
    const id = randomUUID();
    const address = `${url.pathname.replace(/sse\/?$/, 'messages')}?sessionId=${id}`;
    await this.#channels.open(id, new SseChannel(response, headers, address), owner);
  }

  #channelOf(owner: TokenOwner, url: URL): SseChannel {
    const found = this.#channels.get(url.searchParams.get('sessionId') ?? '', owner);
    if (found instanceof SseChannel) return found;
    throw new HttpRefusal(404, 'Session not found. Open /sse again.', { code: SESSION_NOT_FOUND });
  }
}
