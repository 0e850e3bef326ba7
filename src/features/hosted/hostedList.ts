import { fieldsOf } from '../../core/json.ts';
import type { Hosted } from '../../hosting/index.ts';
import type { Context } from '../context.ts';
import type { Tool, ToolList, ToolSource } from '../tool.ts';
import { hostedTool, toolsOf } from './hostedTools.ts';
import { redactedTools } from './shown.ts';

/** The tools of hosted servers. */
export const hostedTools: ToolSource = {
  list(ctx) {
    const { listed, hidden } = listing(ctx);
    return { listed: redactedTools(listed, ctx), hidden };
  },
  find: hostedTool,
  watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList),
};

/** Most bytes of hosted tools in `tools/list`: an agent pays for all of them in every session. */
const MOST_BYTES = 24 * 1024;

interface Weighed {
  tools: readonly Tool[];
  bytes: number;
}

interface Sized extends Weighed {
  server: Hosted;
}

/** Leaves out result schemas if there is no room for them, and then whole servers: those not used yet first, the largest first. */
export function listing(ctx: Context): ToolList {
  const whole = ctx.hosted.all.map((server) => ({ server, ...wholeOf(toolsOf(server)) }));
  if (bytesOf(whole) <= MOST_BYTES) return { listed: toolsIn(whole), hidden: [] };
  const slim = whole.map(({ server, tools }) => ({ server, ...slimOf(tools) }));
  const hidden: Sized[] = [];
  const shown = slim.sort((a, b) => Number(a.server.isUsed) - Number(b.server.isUsed) || b.bytes - a.bytes);
  while (bytesOf(shown) > MOST_BYTES) hidden.push(...shown.splice(0, 1));
  return { listed: toolsIn(shown), hidden: toolsIn(hidden) };
}

/** Made once for each list of tools: a server may have megabytes of them. */
function once(make: (tools: readonly Tool[]) => readonly Tool[]): (tools: readonly Tool[]) => Weighed {
  const made = new WeakMap<readonly Tool[], Weighed>();
  return (tools) => {
    const known = made.get(tools) ?? weighed(make(tools));
    made.set(tools, known);
    return known;
  };
}

const weighed = (tools: readonly Tool[]): Weighed => ({
  tools,
  bytes: tools.reduce((all, { listed }) => all + Buffer.byteLength(JSON.stringify(listed)), 0),
});

const wholeOf = once((tools) => tools);
const slimOf = once((tools) => tools.map(withoutResultSchema));

const bytesOf = (all: readonly Sized[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);

const toolsIn = (all: readonly Sized[]): Tool[] => all.flatMap(({ tools }) => tools);

function withoutResultSchema(tool: Tool): Tool {
  const { outputSchema: _, ...listed } = fieldsOf(tool.listed);
  return { ...tool, listed };
}
