/** Servers over HTTP, in this process. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ResolvedRemote } from '../../../../src/hosting/config/resolve/resolved.ts';
import type { HostedConnection } from '../../../../src/hosting/connection/openConnection.ts';
import { connectRemote, type RemoteOptions } from '../../../../src/hosting/remote/connectRemote.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
  message: any;
}

export type Handler = (request: Received, response: ServerResponse) => void | Promise<void>;

/** The servers and connections of a test. */
export class RemoteServers {
  readonly received: Received[] = [];
  readonly notified: unknown[] = [];
  readonly #servers: Server[] = [];
  readonly #connections: HostedConnection[] = [];

  /** @returns the address of its MCP endpoint */
  async serve(handler: Handler): Promise<URL> {
    const server = createServer(async (incoming, response) => {
      const body = Buffer.concat(await incoming.toArray()).toString();
      const { method = '', url = '', headers } = incoming;
      const message = body.startsWith('{') ? JSON.parse(body) : undefined;
      const request = { method, path: url, headers, body, message };
      this.received.push(request);
      await handler(request, response);
    });
    this.#servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  }

  async connect(
    url: URL,
    options: Partial<RemoteOptions> & Partial<ResolvedRemote> = {},
  ): Promise<HostedConnection> {
    const { type = 'http', headers = {}, ...others } = options;
    const connection = await connectRemote(
      { type, url, headers },
      {
        clientInfo: { name: 'test', version: '1' },
        onNotification: (method, params) => this.notified.push({ method, params }),
        ...others,
      },
    );
    this.#connections.push(connection);
    return connection;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#connections.map(({ client }) => client.close()));
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

/** Serves a handler of web requests, as the SDK has them. */
export const webHandler =
  (handle: (request: Request) => Promise<Response>): Handler =>
  async ({ method, path, headers, body }, response) => {
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    const { signal } = abort;
    const init = { method, headers: headers as Record<string, string>, signal, ...(body && { body }) };
    const answer = await handle(new Request(`http://${headers.host}${path}`, init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => {});
    else response.end();
  };

export const json = (response: ServerResponse, value: object, headers = {}): void =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

/** A legacy server that answers `initialize`, and passes other requests on. */
export const legacy =
  (handler: Handler): Handler =>
  (request, response) => {
    const { method, message } = request;
    if (message?.method === 'server/discover') return void response.writeHead(400).end();
    if (message?.method === 'initialize') {
      const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'faulty' } };
      return json(response, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': 'the session' });
    }
    if (message && message.id === undefined) return void response.writeHead(202).end();
    if (method === 'DELETE') return void response.writeHead(200).end();
    return handler(request, response);
  };

/** Events of a stream, each with an id. */
export const event = (data: object | '', { id, retry }: { id?: string; retry?: number } = {}): string =>
  [
    ...(id ? [`id: ${id}`] : []),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    `data: ${data && JSON.stringify(data)}`,
    '\n',
  ].join('\n');

export const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
