import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { fieldsOf, jsonText, parsedJson } from '../../core/json.ts';
import { cutMiddle } from '../../core/text/cutText.ts';
import { fitting } from '../../core/text/fitting.ts';
import { switchedOff } from '../../core/windowTools.ts';
import type { Hosted } from '../../hosting/index.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import {
  LOOKS_ONLY,
  STARTS_PROGRAMS,
  type Tool,
  type ToolCallParams,
  type ToolSource,
  text,
} from '../tool.ts';
import { editorTools } from './editorTools.ts';
import { goneTool, hostedTool, toolsOf } from './hostedTools.ts';
import { redactedItems } from './shown.ts';

const FIND = 'find_tools';
const CALL = 'call_tool';

/** Most UTF-16 units of tool names in a description. */
const MOST_NAMED = 900;
const MOST_FOUND = 10;
/** UTF-16 units of one found tool with its schema. */
const LONGEST = 8_000;

/** The tools of hosted servers in `tools/list`, and the two that reach those which are not listed. */
export const hostedTools: ToolSource = {
  all(ctx) {
    const { listed, hidden } = listing(ctx);
    const shown = listed.flatMap((tool) =>
      redactedItems([tool.listed ?? {}], 'name', ctx).map((text) => ({ ...tool, listed: text })),
    );
    return hidden.length > 0 ? [...shown, ...searchTools(hidden)] : shown;
  },
  find: searchTool,
  forwarded,
  watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList),
};

const searchTools = (hidden: readonly Tool[]): Tool[] => [findTool(hidden), callTool(hidden)];

export function searchTool(name: string, ctx: Context): Tool | undefined {
  if (name !== FIND && name !== CALL) return undefined;
  return searchTools(listing(ctx).hidden).find((tool) => tool.name === name);
}

const called = z.object({
  name: z.string(),
  arguments: z.preprocess(
    (given) => (typeof given === 'string' ? parsedJson(given || '{}') : (given ?? undefined)),
    z.record(z.string(), z.unknown()).default({}),
  ),
});

/** The call that a call of `call_tool` stands for; undefined if `call_tool` itself answers, with an error. */
export function forwarded(
  given: ToolCallParams,
  ctx: Context,
): { tool: Tool; params: ToolCallParams } | undefined {
  const off = (now: Context) => now.switches.offBy({ name: CALL, group: 'hosted' });
  if (given.name !== CALL || off(ctx)) return undefined;
  const { data: params } = called.safeParse(given.arguments);
  if (!params || editorTools.find(params.name, ctx)) return undefined;
  const tool = hostedTool(params.name, ctx) ?? goneTool(params.name, ctx);
  if (!tool) return undefined;
  const requireOn = (now: Context) => {
    const setting = off(now);
    if (setting) throw new UserError(switchedOff(CALL, setting));
    tool.requireOn?.(now);
  };
  return { tool: { ...tool, requireOn }, params };
}

const findTool = (hidden: readonly Tool[]): Tool => ({
  name: FIND,
  title: 'Find tools',
  description: `Finds tools of other servers that are not in the list: ${namesIn(hidden)}. Use it to get their descriptions and arguments, then call them with ${CALL}.`,
  group: 'hosted',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    query: z.string().describe('Words for what the tool does, or a part of its name'),
  }),
  async run({ query }: { query: string }, ctx) {
    const found = ranked(query, listing(ctx).hidden);
    if (found.length === 0)
      throw new UserError(
        `No tool that is missing in tools/list fits "${query}". Look in tools/list, or try other words.`,
      );
    const texts = found.map((tool) => cutMiddle(described(tool), LONGEST));
    const count = fitting(texts, args.DEFAULT_CHARACTERS, (one) => one.length + 2, MOST_FOUND);
    const shown = texts.slice(0, count);
    const more = found.length - count;
    return text(
      ctx.files.redactor.text(shown.join('\n\n')),
      more > 0 ? `${more} more fit less well. Use more words to find them.` : undefined,
    );
  },
});

const callTool = (hidden: readonly Tool[]): Tool => ({
  name: CALL,
  title: 'Call a found tool',
  description: `Calls a tool that ${FIND} found. Call it with the tool's name and its arguments.`,
  group: 'hosted',
  operation: 'read',
  annotations: STARTS_PROGRAMS,
  input: z.strictObject({
    name: z.string().describe(`As ${FIND} gives it, such as ${hidden[0]?.name ?? 'server__tool'}`),
    arguments: z.looseObject({}).optional().describe('Arguments of that tool'),
  }),
  // Calls of hosted tools do not come here: see `forwarded`.
  async run({ name }: { name: string }) {
    const own = name === CALL ? 'It cannot call itself.' : `Call ${name} itself.`;
    throw new UserError(`${CALL} calls tools of hosted servers only. ${own}`);
  },
});

const described = ({ name, description, listed }: Tool): string =>
  `${name}: ${description}\nArguments: ${jsonText(listed?.inputSchema)}`;

/** By server, as many as there is room for. */
function namesIn(tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name).join(', ');
  return names.length > MOST_NAMED ? `${names.slice(0, names.lastIndexOf(',', MOST_NAMED))}, …` : names;
}

/** Best first: each word counts more in the name than in the title and the description. */
function ranked(query: string, tools: readonly Tool[]): Tool[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scoreOf = ({ name, title, description }: Tool) => {
    const has = (where: string, word: string) => where.toLowerCase().includes(word);
    return words.reduce(
      (sum, word) =>
        sum + (has(name, word) ? 3 : 0) + (has(title, word) ? 2 : 0) + (has(description, word) ? 1 : 0),
      0,
    );
  };
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** Most bytes of hosted tools in `tools/list`: an agent pays for all of them in every session. */
const MOST_BYTES = 24 * 1024;

export interface Listing {
  listed: readonly Tool[];
  /** Reached by `find_tools` and `call_tool`. */
  hidden: readonly Tool[];
}

interface Weighed {
  tools: readonly Tool[];
  bytes: number;
}

interface Sized extends Weighed {
  server: Hosted;
}

/** Leaves out result schemas if there is no room for them, and then whole servers: those not used yet first, the largest first. */
export function listing(ctx: Context): Listing {
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
