import type { CallToolResult } from '@modelcontextprotocol/server';
import { wholePage } from '../core/page.ts';
import type { Context } from '../features/context.ts';
import { todaysCall } from '../features/oldNames.ts';
import { type Tool, type ToolCallParams, withNote } from '../features/tool.ts';
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
  /** The tool of a call, the call that it stands for, and a note if that has another name now. */
  const meantBy = (
    given: ToolCallParams,
  ): { tool?: Tool | undefined; params: ToolCallParams; note?: string } => {
    const inner = ctx.switches.offBy(CALL_TOOL) ? undefined : calledBy(given);
    const asked = inner ?? given;
    const { params, note = '' } = (!tools.has(asked.name) && todaysCall(asked)) || { params: asked };
    const tool = named(params.name);
    if (!tool) return { tool: searching(given.name), params: given };
    const requireOn = (now: Context) => {
      if (inner) requireSwitchedOn(CALL_TOOL, now);
      tool.requireOn?.(now);
    };
    return { tool: inner ? { ...tool, requireOn } : tool, params, note };
  };
  const list = async ({ cursor }: { cursor?: string | undefined }) => {
    await ctx.switches.known;
    return wholePage('tools', entriesFor(features, ctx), ({ name }) => name, cursor);
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
