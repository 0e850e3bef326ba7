/**
 * MCP over HTTP in front of shims, because the suite knows a server by its URL only. It carries JSON-RPC as it is: a
 * shim for each session of the older versions, and one for all requests of 2026-07-28, which have no sessions.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Message } from '../wire/rawAgent.ts';
import { isLocal, isModern, MODERN, mismatch, statusOf, VERSION } from './headers.ts';
import type { Peer } from './peer.ts';

const SESSION = 'mcp-session-id';

export class Adapter {
  readonly #startShim: () => Peer;
  readonly #sessions = new Map<string, Peer>();
  readonly #server: Server;
  #modern: Promise<Peer> | undefined;

  constructor(startShim: () => Peer) {
    this.#startShim = startShim;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: Error) => refuse(response, 500, error.message));
    });
  }

  /** Listens at a port that is free; resolves to the URL. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  /** The shims are the caller's to end. */
  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request.headers)) refuse(response, 403, 'Only this machine may ask.');
    else if (request.method === 'DELETE') await this.#endSession(request, response);
    // A stream that belongs to no request (GET) is optional, and clients do without.
    else if (request.method !== 'POST') refuse(response, 405, 'Only POST and DELETE.');
    else await this.#post(request, (await json(request)) as Message, response);
  }

  async #post({ headers }: IncomingMessage, message: Message, response: ServerResponse): Promise<void> {
    if (isModern(headers, message)) {
      const wrong = mismatch(headers, message);
      if (wrong) reply(response, statusOf(wrong), wrong);
      else carry(await this.#modernPeer(), message, response, statusOf);
      return;
    }
    const peer =
      message.method === 'initialize' ? this.#newSession(response) : this.#sessionOf(headers[SESSION]);
    if (peer) carry(peer, message, response, () => 200);
    else refuse(response, headers[SESSION] ? 404 : 400, 'There is no such session.');
  }

  #newSession(response: ServerResponse): Peer {
    const id = randomUUID();
    const peer = this.#startShim();
    this.#sessions.set(id, peer);
    response.setHeader(SESSION, id);
    return peer;
  }

  #sessionOf = (id: unknown): Peer | undefined => this.#sessions.get(String(id));

  async #endSession({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const peer = this.#sessionOf(headers[SESSION]);
    this.#sessions.delete(String(headers[SESSION]));
    await peer?.end();
    response.writeHead(peer ? 204 : 404).end();
  }

  /** Over HTTP a header tells the version; over stdio the first request does, and some of the suite's tell none. */
  #modernPeer(): Promise<Peer> {
    this.#modern ??= new Promise((resolve) => {
      const peer = this.#startShim();
      const _meta = { [VERSION]: MODERN, 'io.modelcontextprotocol/clientCapabilities': {} };
      peer.request({ jsonrpc: '2.0', method: 'tools/list', params: { _meta } }, () => resolve(peer));
    });
    return this.#modern;
  }
}

/** Hands a message to a shim, and what comes for it to the HTTP client: JSON where that is all, else a stream of events. */
function carry(peer: Peer, message: Message, response: ServerResponse, status: typeof statusOf): void {
  if (!('method' in message && 'id' in message)) {
    peer.send(message);
    response.writeHead(202).end();
    return;
  }
  const takeBack = peer.request(message, (part) => {
    const isAnswer = !('method' in part);
    if (isAnswer && !response.headersSent) return reply(response, status(part), part);
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: message\ndata: ${JSON.stringify(part)}\n\n`);
    if (isAnswer) response.end();
  });
  response.once('close', takeBack);
}

function reply(response: ServerResponse, status: number, message: Message): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

const refuse = (response: ServerResponse, status: number, message: string): void =>
  reply(response, status, { jsonrpc: '2.0', id: null, error: { code: -32000, message } });
