import { fieldsOf } from '../../core/json.ts';
import type { Hosted } from '../../hosting/index.ts';
import { oncePer } from '../../util/once.ts';
import type { Context } from '../context.ts';
import type { Tool, ToolList, ToolSource } from '../tool.ts';
import { cutNote, goneTool, hostedTool, toolsOf } from './hostedTools.ts';
import { redactedTools } from './shown.ts';

/** The tools of hosted servers: how they are listed and found. `hostedTools.ts` makes and runs them. */
export const hostedToolSource: ToolSource = {
  list(ctx) {
    const { listed, hidden } = listing(ctx);
    const notes = ctx.hosted.all.flatMap((server) => cutNote(server) ?? []);
    return { listed: redactedTools(listed, ctx), hidden, notes };
  },
  find: (name, ctx) => hostedTool(name, ctx) ?? goneTool(name, ctx),
  watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList),
};

/** Most bytes of hosted tools in `tools/list`: an agent pays for all of them in every session. */
const LIST_BYTES = 24 * 1024;

interface Sized {
  server: Hosted;
  tools: readonly Tool[];
  bytes: number;
}

/** Leaves out result schemas if there is no room for them, and then whole servers: those not used yet first, the largest first. */
export function listing(ctx: Context): ToolList {
  const forModels = (tools: readonly Tool[]) => tools.filter(({ apps }) => apps !== 'only');
  const { showsApps } = ctx.hosted;
  const whole = ctx.hosted.all.map((server) => {
    const tools = toolsOf(server);
    return sized(server, showsApps ? tools : forModels(tools));
  });
  if (bytesOf(whole) <= LIST_BYTES) return { listed: toolsIn(whole), hidden: [] };
  const shown = whole.map(({ server, tools }) => sized(server, tools.map(withoutResultSchema)));
  shown.sort((a, b) => Number(a.server.isUsed) - Number(b.server.isUsed) || b.bytes - a.bytes);
  const hidden: Sized[] = [];
  while (bytesOf(shown) > LIST_BYTES) hidden.push(...shown.splice(0, 1));
  return { listed: toolsIn(shown), hidden: forModels(toolsIn(hidden)) };
}

const sized = (server: Hosted, tools: readonly Tool[]): Sized => ({
  server,
  tools,
  bytes: tools.reduce((sum, tool) => sum + sizeOf(tool), 0),
});

const bytesOf = (all: readonly Sized[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);

const toolsIn = (all: readonly Sized[]): Tool[] => all.flatMap(({ tools }) => tools);

/** Made once for each tool: a server may have megabytes of them. */
const sizeOf = oncePer(({ listed }: Tool) => Buffer.byteLength(JSON.stringify(listed)));

const withoutResultSchema = oncePer((tool: Tool) => {
  const { outputSchema: _, ...listed } = fieldsOf(tool.listed);
  return { ...tool, listed };
});
