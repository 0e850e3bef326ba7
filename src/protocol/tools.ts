import type { CallToolResult } from '@modelcontextprotocol/server';
import { wholePage } from '../core/page.ts';
import type { Features } from '../features/features.ts';
import { todaysCall } from '../features/oldNames.ts';
import { type Tool, type ToolCallParams, withNote } from '../features/tool.ts';
import { callTool } from './call.ts';
import { cursorParams, type Serve, type ServedConnection } from './connection.ts';
import { withCall } from './requestCall.ts';
import { listedTool } from './toolSchema.ts';

/** In the order of `tools/list`. */
export const sortedTools = ({ tools }: Pick<Features, 'tools'>): Tool[] =>
  [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));

/** `tools/list` and `tools/call`. The SDK checks the params of calls itself. */
export function serveTools(serve: Serve, connection: ServedConnection): void {
  const { server, ctx, features, roots } = connection;
  const { toolSources = [] } = features;
  const tools = new Map(features.tools.map((tool) => [tool.name, tool]));
  /** The tool of a call, the call that it stands for, and a note if that has another name now. */
  const meantBy = (
    given: ToolCallParams,
  ): { tool?: Tool | undefined; params: ToolCallParams; note?: string } => {
    const { params, note = '' } = (!tools.has(given.name) && todaysCall(given)) || { params: given };
    const own = tools.get(params.name);
    if (own) return { tool: own, params, note };
    for (const source of toolSources) {
      const meant = source.forwarded?.(params, ctx);
      if (meant) return meant;
    }
    for (const source of toolSources) {
      const tool = source.find(params.name, ctx);
      if (tool) return { tool, params };
    }
    return { params };
  };
  const list = ({ cursor }: { cursor?: string | undefined }) => {
    const all = [...features.tools, ...toolSources.flatMap((source) => source.all(ctx))];
    const on = sortedTools({ tools: all }).filter((tool) => !ctx.switches.offBy(tool));
    return wholePage('tools', on.map(listedTool), ({ name }) => name, cursor);
  };
  serve('tools/list', cursorParams, list, { isForAnyRoots: true });
  server.setRequestHandler('tools/call', ({ params: given }, context) =>
    withCall(context, given.name, connection, async (call) => {
      await roots.known();
      const { tool, params, note } = meantBy(given);
      // What is unchecked passes around the SDK's types as well.
      const result = (await callTool(tool, params, connection, call)) as CallToolResult;
      return note ? withNote(result, note) : result;
    }),
  );
}
