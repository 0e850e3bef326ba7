import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clock } from '../../util/clock.ts';
import { Serving, type ServingOptions } from './serving.ts';

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

export interface HttpOptions extends ServingOptions {
  /** 0 for any free one. */
  port: number;
}

export interface HttpServer {
  port: number;
  /** Ends the sessions of tokens that are not there any more. */
  ownersChanged(): void;
  close(): void;
}

/** Serves MCP on the loopback interface. @throws if the port is taken */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const serving = new Serving(options);
  const server = createServer(LIMITS, (request, response) => void serving.take(request, response));
  server.on('connection', (socket) => serving.connected(socket));
  server.on('upgrade', (request, socket, head) => serving.upgrade(request, socket, head));
  server.on('clientError', (_error, socket) => socket.destroy());
  try {
    server.listen(options.port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    serving.dispose();
    throw error;
  }
  server.on('error', (error) => options.log.error(error));
  return {
    port: (server.address() as AddressInfo).port,
    ownersChanged: () => serving.ownersChanged(),
    close: () => end(server, serving),
  };
}

function end(server: Server, serving: Serving): void {
  serving.dispose();
  server.close();
  clock.after(GRACE, () => server.closeAllConnections(), true); // the last answers are on their way
}
