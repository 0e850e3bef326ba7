/** A connection that is lost while a call runs, as to a proxy that ends what takes long. */
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from '../../../src/features/tool.ts';
import { tool } from './tool.ts';

const open = new Set<ServerResponse>();
subscribe('http.server.request.start', (message) => {
  const { response } = message as { response: ServerResponse };
  open.add(response);
  response.once('close', () => open.delete(response));
});

export const reconnectionTools = [
  tool('test_reconnection', 'Ends the connection, then answers.', async () => {
    const streams = [...open].filter(({ headersSent }) => headersSent);
    for (const response of streams) response.end();
    await delay(100); // the client has seen the end
    return text('Answered.');
  }),
];
