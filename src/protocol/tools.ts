import type { CallToolResult } from '@modelcontextprotocol/server';
import { wholePage } from '../core/page.ts';
import type { Context } from '../features/context.ts';
import type { Tool, ToolCallParams } from '../features/tool.ts';
import { callTool, requireSwitchedOn } from './call.ts';
import { cursorParams, type Serve, type ServedConnection } from './connection.ts';
import { withCall } from './requestCall.ts';
import { CALL_TOOL, calledBy, entriesFor, searchTools, toolsFor } from './toolList.ts';

/** `tools/list` and `tools/call`. The SDK checks the params of calls itself. */
export function serveTools(serve: Serve, connection: ServedConnection): void {
  const { server, ctx, features, roots } = connection;
  const { toolSources = [] } = features;
  const tools = new Map(features.tools.map((tool) => [tool.name, tool]));
  const named = (name: string): Tool | undefined => {
    const own = tools.get(name);
    if (own) return own;
    for (const source of toolSources) {
      const tool = source.find(name, ctx);
      if (tool) return tool;
    }
    return undefined;
  };
  /** One of the two that reach hidden tools. */
  const searching = (name: string): Tool | undefined =>
    searchTools(toolsFor(features, ctx)).find((tool) => tool.name === name);
  /** The tool of a call, and the call that it stands for. */
  const meantBy = (params: ToolCallParams): { tool?: Tool | undefined; params: ToolCallParams } => {
    const inner = ctx.switches.offBy(CALL_TOOL) ? undefined : calledBy(params);
    const meant = inner && named(inner.name);
    if (!meant) return { tool: named(params.name) ?? searching(params.name), params };
    const requireOn = (now: Context) => {
      requireSwitchedOn(CALL_TOOL, now);
      meant.requireOn?.(now);
    };
    return { tool: { ...meant, requireOn }, params: inner };
  };
  const list = async ({ cursor }: { cursor?: string | undefined }) => {
    await ctx.switches.known;
    return wholePage('tools', entriesFor(features, ctx), ({ name }) => name, cursor);
  };
  serve('tools/list', cursorParams, list, { isForAnyRoots: true });
  server.setRequestHandler('tools/call', ({ params: given }, context) =>
    withCall(context, given.name, connection, async (call) => {
      await roots.known();
      const { tool, params } = meantBy(given);
      // What is unchecked passes around the SDK's types as well.
      return (await callTool(tool, params, connection, call)) as CallToolResult;
    }),
  );
}
