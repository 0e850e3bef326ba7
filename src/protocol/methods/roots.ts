import type { Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Serve, ServerState } from '../state.ts';

/**
 * In MCP the server sends `roots/list` to the client. Some agents of the older versions also send it to the server. Since
 * 2026-07-28 the method does not exist.
 */
export function serveRoots(server: Server, serve: Serve, state: ServerState): void {
  const { ctx, era, askForRoots, onRootsListed } = state;
  if (era === 'modern') return;
  serve('roots/list', z.object({}), () => {
    onRootsListed();
    return { roots: ctx.files.toldFolders().map(({ uri, name }) => ({ uri: uri.toString(), name })) };
  });
  server.setNotificationHandler('notifications/roots/list_changed', askForRoots);
}
