/** The SDK's own HTTP server in front of the product's session, which is reached as the product's own HTTP reaches it. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { duplexPair, Readable } from 'node:stream';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { Splitter } from '../../../src/core/text/lines.ts';
import type { TestWindow } from '../../wire/testWindow.ts';

export function serveBySdk(window: TestWindow, port: number): void {
  const [ours, theirs] = duplexPair();
  window.serve(theirs);
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
  transport.onmessage = (message) => void ours.write(`${JSON.stringify(message)}\n`);
  const lines = new Splitter('\n', Number.POSITIVE_INFINITY, (line) => {
    if (line !== '') void transport.send(JSON.parse(line));
  });
  ours.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  createServer((request, response) => void carry(transport, request, response)).listen(port, '127.0.0.1');
}

async function carry(
  transport: WebStandardStreamableHTTPServerTransport,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url, headers } = request;
  const body = method === 'POST' && { body: Readable.toWeb(request), duplex: 'half' };
  const asked = { method, headers: headers as Record<string, string>, ...body } as RequestInit;
  const answer = await transport.handleRequest(new Request(`http://127.0.0.1${url}`, asked));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
}
