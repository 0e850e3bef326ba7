import { randomUUID } from 'node:crypto';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { LIMIT_REACHED, MAX_LINE } from '../../core/jsonRpc.ts';
import type { Log } from '../../util/log.ts';
import type { Channel } from '../channel.ts';
import { corsOf, type Gate, type Owner, ownerOf, requireLocal } from './gate.ts';
import { HttpSessions, peerOf, type ServeChannel } from './httpSessions.ts';
import { McpEndpoint, type Protocol } from './mcpEndpoint.ts';
import { Refusal, SESSION_NOT_FOUND } from './refusal.ts';
import { bodyOf } from './requests.ts';
import { SseChannel } from './sse.ts';
import { webSocketChannel } from './webSocket.ts';

/** Most connections that have sent no token yet: the oldest makes room. */
const MOST_UNPROVEN = 64;
/** Most streams and sockets of one token. */
const MOST_CHANNELS = 64;

export interface ServingOptions extends Gate {
  protocol: Protocol;
  serve: ServeChannel;
  /** Undefined if the name is of a folder of this window; else what the client is told. */
  elsewhere(folder: string): string | undefined;
  log: Log;
}

/** A path, with the folder whose window is meant: `/w/FOLDER/mcp` or `/mcp`. */
const PATH = /^(?:\/w\/([^/]+))?\/(mcp|sse|messages|ws)$/;

/** Leads requests to their transport, by the path, once the headers say that they may come in. */
export class Serving {
  readonly #options: ServingOptions;
  readonly #sessions: HttpSessions;
  readonly #endpoint: McpEndpoint;
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_LINE,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: (offered) => offered.has('mcp') && 'mcp',
  });
  readonly #unproven = new Set<Socket>();
  /** Streams of 2024-11-05 and WebSockets, by a number that only their client is told. */
  readonly #channels = new Map<string, { channel: Channel; owner: Owner }>();

  constructor(options: ServingOptions) {
    this.#options = options;
    this.#sessions = new HttpSessions(options.serve);
    this.#endpoint = new McpEndpoint(this.#sessions, options.protocol);
  }

  dispose(): void {
    this.#sessions.dispose();
    for (const { channel } of this.#channels.values()) channel.disconnect();
    this.#webSockets.close();
  }

  ownersChanged(): void {
    const ids = new Set(this.#options.owners().map(({ id }) => id));
    this.#sessions.keepOf(ids);
    for (const { channel, owner } of this.#channels.values()) if (!ids.has(owner.id)) channel.disconnect();
  }

  connected(socket: Socket): void {
    const [oldest] = this.#unproven;
    if (oldest && this.#unproven.size >= MOST_UNPROVEN) oldest.destroy();
    this.#unproven.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#unproven.delete(socket));
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = corsOf(request.headers.origin, this.#options) ?? {};
    try {
      await this.#answer(request, response, headers);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#options.log.debug(`HTTP: ${(error as Error).message}`);
      const failed = () => new Refusal(500, 'The request failed inside the extension.', { code: -32603 });
      (error instanceof Refusal ? error : failed()).send(response, headers);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>) {
    requireLocal(request.headers, this.#options);
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined)
      return void response.writeHead(204, headers).end();
    const { url, owner, kind } = this.#admit(request);
    const to = `${request.method} ${kind}`;
    const admit = () => void ownerOf(request.headers, this.#options);
    if (kind === 'mcp') await this.#endpoint.handle({ request, response, owner, admit, headers });
    else if (to === 'GET sse') await this.#openStream(response, headers, owner, url);
    else if (to === 'POST messages') {
      const text = await bodyOf(request);
      admit();
      await this.#channelOf(owner, url).take(text);
      response.writeHead(202, headers).end();
    } else {
      const headers = { Allow: kind === 'sse' ? 'GET' : 'POST' };
      throw new Refusal(405, `There is no ${request.method} for ${url.pathname}.`, { headers });
    }
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      requireLocal(request.headers, this.#options);
      const { owner, kind } = this.#admit(request);
      if (kind !== 'ws')
        throw new Refusal(400, 'Only /ws is for WebSockets. Send other requests without Upgrade.');
      this.#requireRoom(owner);
      this.#webSockets.handleUpgrade(request, socket, head, (client) => this.#openSocket(client, owner));
    } catch (error) {
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, 'The request failed inside the extension.');
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket as Socket);
      response.once('finish', () => (socket as Socket).destroySoon());
      refusal.send(response, {});
    }
  }

  /** Decides by the headers alone. @throws Refusal */
  #admit({ headers, socket, url: path = '/' }: IncomingMessage): { url: URL; owner: Owner; kind: string } {
    const owner = ownerOf(headers, this.#options);
    this.#unproven.delete(socket);
    const url = URL.parse(path, 'http://localhost');
    const [, folder, kind] = PATH.exec(url?.pathname ?? '') ?? [];
    if (!url || !kind) throw new Refusal(404, 'There are /mcp, /sse and /ws, and the same behind /w/FOLDER.');
    const elsewhere = folder === undefined ? undefined : this.#options.elsewhere(nameIn(folder));
    if (elsewhere) throw new Refusal(421, elsewhere);
    return { url, owner, kind };
  }

  #openSocket(client: WebSocket, owner: Owner): void {
    client.pause(); // until the session takes messages
    const channel = webSocketChannel(client);
    this.#keep(randomUUID(), channel, owner);
    this.#options.serve(channel, peerOf(owner)).then(
      () => client.resume(),
      () => client.terminate(),
    );
  }

  async #openStream(response: ServerResponse, headers: Record<string, string>, owner: Owner, url: URL) {
    this.#requireRoom(owner);
    const id = randomUUID();
    const address = `${url.pathname.replace(/sse$/, 'messages')}?sessionId=${id}`;
    const channel = new SseChannel(response, headers, address);
    this.#keep(id, channel, owner);
    await this.#options.serve(channel, peerOf(owner));
  }

  #channelOf(owner: Owner, url: URL): SseChannel {
    const found = this.#channels.get(url.searchParams.get('sessionId') ?? '');
    if (found?.owner.id === owner.id && found.channel instanceof SseChannel) return found.channel;
    throw new Refusal(404, 'Session not found. Open /sse again.', { code: SESSION_NOT_FOUND });
  }

  #keep(id: string, channel: Channel, owner: Owner): void {
    this.#channels.set(id, { channel, owner });
    channel.onClose(() => this.#channels.delete(id));
  }

  /** @throws Refusal */
  #requireRoom(owner: Owner): void {
    const count = [...this.#channels.values()].filter((one) => one.owner.id === owner.id).length;
    if (count < MOST_CHANNELS) return;
    const message = `${count} streams and sockets of this token are open. Close some first.`;
    throw new Refusal(429, message, { code: LIMIT_REACHED });
  }
}

function nameIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
