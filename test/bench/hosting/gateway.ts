/** The least that a gateway of the SDK does: its server, whose calls its client passes on. It listens on BENCH_SOCKET, and ends with its stdin. */
import { createServer } from 'node:net';
import { env, execPath, exit, stdin } from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { program } from '../../wire/hosting/support.ts';

const info = { name: 'bench', version: '1' };
const client = new Client(info);
await client.connect(new StdioClientTransport({ command: execPath, args: [program('sdkServer')] }));
createServer((socket) => {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', ({ params }) => client.callTool(params));
  void server.connect(new StdioServerTransport(socket, socket));
}).listen(env.BENCH_SOCKET);
stdin.on('end', () => void client.close().then(() => exit())).resume();
