import type { Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Serve, ServerState } from '../state.ts';

/**
 * `roots/list` goes from server to client in MCP; agents of the older versions ask it of the server as well. From
 * 2026-07-28 on the method does not exist.
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
