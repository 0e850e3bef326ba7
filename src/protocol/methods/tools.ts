import type { Server } from '@modelcontextprotocol/server';
import { page } from '../../core/page.ts';
import type { Features } from '../../features/features.ts';
import type { Tool } from '../../features/tool.ts';
import { callTool } from '../call.ts';
import type { During, Serve, ServerState } from '../state.ts';
import { listedTool } from '../toolSchema.ts';
import { cursorParams } from './cursorParams.ts';

/** In the order of `tools/list`. */
export const sortedTools = ({ tools }: Pick<Features, 'tools'>): Tool[] =>
  [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));

/** `tools/list` and `tools/call`. The SDK checks the params of calls itself. */
export function serveTools(server: Server, serve: Serve, state: ServerState, during: During): void {
  const { ctx, features, ready } = state;
  const tools = new Map(features.tools.map((tool) => [tool.name, tool]));
  const sorted = sortedTools(features);
  const list = ({ cursor }: { cursor?: string | undefined }) => {
    const on = sorted.filter((tool) => !ctx.switches.offBy(tool));
    const { items, nextCursor } = page('tools', on, (tool) => tool.name, cursor);
    return { tools: items.map(listedTool), ...(nextCursor && { nextCursor }) };
  };
  serve('tools/list', cursorParams, list, { isForAnyRoots: true });
  server.setRequestHandler('tools/call', ({ params }, context) =>
    during(context, params.name, async (call) => {
      await ready();
      return callTool(tools, params, state, call);
    }),
  );
}
