import { fieldsOf } from '../../core/json.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { Context } from '../context.ts';
import type { Tool } from '../tool.ts';
import { toolsOf } from './hostedTools.ts';

/** Most bytes of hosted tools in `tools/list`: an agent pays for all of them in every session. */
const MOST_BYTES = 24 * 1024;

export interface Listing {
  /** For `tools/list`. */
  listed: readonly Tool[];
  /** Reached by `find_tools` and `call_tool`. */
  hidden: readonly Tool[];
}

interface Sized {
  server: Hosted;
  tools: readonly Tool[];
  bytes: number;
}

/** Leaves out result schemas if there is no room for them, and then whole servers: those not used yet first, the largest first. */
export function listing(ctx: Context): Listing {
  const whole = ctx.hosted.all.map((server) => sized(server, toolsOf(server)));
  if (bytesOf(whole) <= MOST_BYTES) return { listed: toolsIn(whole), hidden: [] };
  const slim = whole.map(({ server, tools }) => sized(server, tools.map(withoutResultSchema)));
  const hidden: Sized[] = [];
  const shown = slim.sort((a, b) => Number(a.server.isUsed) - Number(b.server.isUsed) || b.bytes - a.bytes);
  while (bytesOf(shown) > MOST_BYTES) hidden.push(...shown.splice(0, 1));
  return { listed: toolsIn(shown), hidden: toolsIn(hidden) };
}

const sized = (server: Hosted, tools: readonly Tool[]): Sized => ({
  server,
  tools,
  bytes: tools.reduce((all, { listed }) => all + Buffer.byteLength(JSON.stringify(listed)), 0),
});

const bytesOf = (all: readonly Sized[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);

const toolsIn = (all: readonly Sized[]): Tool[] => all.flatMap(({ tools }) => tools);

function withoutResultSchema(tool: Tool): Tool {
  const { outputSchema: _, ...listed } = fieldsOf(tool.listed);
  return { ...tool, listed };
}
