/** A server whose tool says what a file says: `changing.ts FILE`. */
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new McpServer({ name: 'changing', version: '1' });
  const description = readFileSync(process.argv[2] ?? '', 'utf8');
  server.registerTool('add', { description }, () => ({ content: [{ type: 'text', text: 'added' }] }));
  return server;
});
