import type { CallToolResult, Server } from '@modelcontextprotocol/server';
import { page, wholePage } from '../../core/page.ts';
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
  const { toolSources = [] } = features;
  const tools = new Map(features.tools.map((tool) => [tool.name, tool]));
  const find = (name: string): Tool | undefined => {
    const known = tools.get(name);
    if (known) return known;
    for (const source of toolSources) {
      const found = source.find(name, ctx);
      if (found) return found;
    }
    return undefined;
  };
  const list = ({ cursor }: { cursor?: string | undefined }) => {
    const all = [...features.tools, ...toolSources.flatMap((source) => source.all(ctx))];
    const on = sortedTools({ tools: all }).filter((tool) => !ctx.switches.offBy(tool));
    const { items, nextCursor } = page('tools', on.map(listedTool), ({ name }) => name, cursor, wholePage);
    return { tools: [...items], ...(nextCursor && { nextCursor }) };
  };
  serve('tools/list', cursorParams, list, { isForAnyRoots: true });
  server.setRequestHandler('tools/call', ({ params }, context) =>
    during(context, params.name, async (call) => {
      await ready();
      // What is unchecked passes around the SDK's types as well.
      const [meant] = toolSources.flatMap((source) => source.forwarded?.(params, ctx) ?? []);
      const { tool, params: own } = meant ?? { tool: find(params.name), params };
      return (await callTool(tool, own, state, call)) as CallToolResult;
    }),
  );
}
