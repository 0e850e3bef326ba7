/** The list of tools that fits an agent, and the two tools that reach the rest. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { listChoice } from '../core/clients.ts';
import { coreEntry } from '../core/coreEntry.ts';
import { jsonText, parsedJson } from '../core/json.ts';
import { cutMiddle, fitting, UserError } from '../core/messages.ts';
import * as args from '../features/arguments.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import { LOOKS_ONLY, type Tool, type ToolCallParams, type ToolList, text } from '../features/tool.ts';
import { listedTool } from './toolSchema.ts';

const FIND = 'find_tools';
const CALL = 'call_tool';

/** For switches. */
export const CALL_TOOL = { name: CALL, group: 'list' } as const;

/** Most UTF-16 units of tool names in a description. */
const MOST_NAMED = 900;
const MOST_FOUND = 10;
/** UTF-16 units of one found tool with its schema. */
const LONGEST = 8_000;

/** In the order of `tools/list`. */
export const sorted = (tools: readonly Tool[]): Tool[] =>
  [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));

const getsCore = ({ switches, author }: Context): boolean =>
  listChoice(switches.profile(), author().agent).profile === 'core';

/** Our own tools: those of the core, if the agent gets only these, and the others. */
function ownTools({ tools, core }: Pick<Features, 'tools' | 'core'>, isCore: boolean): ToolList {
  const isListed = ({ name }: Tool) => !isCore || (core?.has(name) ?? true);
  return { listed: tools.filter(isListed), hidden: tools.filter((tool) => !isListed(tool)) };
}

const isOffered = (tool: Tool, { switches }: Context): boolean =>
  !switches.offBy(tool) && switches.isUseful(tool);

/** The names of our own tools in the list of one agent. */
export const ownNames = (features: Features, ctx: Context): string =>
  ownTools(features, getsCore(ctx))
    .listed.filter((tool) => isOffered(tool, ctx))
    .map(({ name }) => name)
    .join();

/** The tools of one agent that the settings leave on, and that the window has a use for. */
export function toolsFor(features: Features, ctx: Context): ToolList {
  const own = ownTools(features, getsCore(ctx));
  const lists = [own, ...(features.toolSources ?? []).map((source) => source.list(ctx))];
  const offered = (tools: readonly Tool[]) => tools.filter((tool) => isOffered(tool, ctx));
  const hidden = offered(lists.flatMap((list) => list.hidden));
  const listed = offered(lists.flatMap((list) => list.listed));
  return { listed: sorted([...listed, ...offered(searchTools({ listed, hidden }))]), hidden };
}

/** The entries of `tools/list`. */
export function entriesFor(features: Features, ctx: Context): ListedTool[] {
  const isCore = getsCore(ctx);
  const entryOf = (tool: Tool) =>
    isCore && !tool.listed ? coreEntry({ ...listedTool(tool) }) : listedTool(tool);
  return toolsFor(features, ctx).listed.map((tool) => entryOf(tool) as ListedTool);
}

/** For the shim: the names of the core, and what reaches the rest. */
export function coreOf(features: Features): { names: string[]; search: ListedTool[] } {
  const own = ownTools(features, true);
  return { names: own.listed.map(({ name }) => name), search: searchTools(own).map(listedTool) };
}

/** The two tools that reach the hidden ones; none if nothing is hidden. */
export const searchTools = (list: ToolList): Tool[] =>
  list.hidden.length > 0 ? [findTool(list), callTool(list)] : [];

const called = z.object({
  name: z.string(),
  arguments: z.preprocess(
    (given) => (typeof given === 'string' ? parsedJson(given || '{}') : (given ?? undefined)),
    z.record(z.string(), z.unknown()).default({}),
  ),
});

/** The call that a call of `call_tool` with these arguments stands for; undefined if it is none. */
export function calledBy(given: unknown): ToolCallParams | undefined {
  const { data } = called.safeParse(given);
  return data?.name === CALL ? undefined : data;
}

const findTool = (list: ToolList): Tool => ({
  name: FIND,
  title: 'Find tools',
  description: `Finds tools that are not in the list by what they are for: ${namesIn(list.hidden)}. Use it to get their arguments, then call them with ${CALL}.`,
  group: 'list',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    query: z.string().describe('Words for what the tool does, or a part of its name'),
  }),
  async run({ query }: { query: string }, ctx) {
    const found = ranked(query, list);
    if (found.length === 0)
      throw new UserError(`No tool fits "${query}". Look in tools/list, or try other words.`);
    const isHidden = (tool: Tool) => list.hidden.includes(tool);
    const texts = found.map((tool) => cutMiddle(described(tool, isHidden(tool)), LONGEST));
    const count = fitting(texts, args.DEFAULT_CHARACTERS, (one) => one.length + 2, MOST_FOUND);
    const shown = texts.slice(0, count);
    const more = found.length - count;
    return text(
      ctx.files.redactor.text(shown.join('\n\n')),
      more > 0 ? `${more} more fit less well. Use more words to find them.` : undefined,
    );
  },
});

const callTool = ({ hidden }: ToolList): Tool => ({
  ...CALL_TOOL,
  title: 'Call a found tool',
  description: `Calls a tool that is not in the list. Call it with the tool's name and the arguments that ${FIND} told.`,
  operation: 'read',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    name: z.string().describe(`Such as ${hidden[0]?.name}`),
    arguments: z.looseObject({}).optional().describe('Arguments of that tool'),
  }),
  // A call of a tool that exists does not come here: see `calledBy`.
  async run({ name }: { name: string }) {
    throw new UserError(
      name === CALL ? `${CALL} cannot call itself.` : `There is no tool "${name}". Find one with ${FIND}.`,
    );
  },
});

const described = (tool: Tool, isHidden: boolean): string =>
  isHidden
    ? `${tool.name}: ${tool.description}\nArguments: ${jsonText(listedTool(tool).inputSchema)}`
    : `${tool.name} (in your list): ${tool.description}`;

/** As many as there is room for; those of other servers by the server. */
function namesIn(tools: readonly Tool[]): string {
  const all = tools.map(({ name, group }) => (group === 'hosted' ? name.replace(/__.*/, '__…') : name));
  const names = [...new Set(all)].join(', ');
  return names.length > MOST_NAMED ? `${names.slice(0, names.lastIndexOf(',', MOST_NAMED))}, …` : names;
}

/** Best first, and of equal ones those in the list: each word counts more in the name than elsewhere. */
function ranked(query: string, { listed, hidden }: ToolList): Tool[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scoreOf = ({ name, title, description, hints }: Tool) => {
    const weights = [
      [name, 3],
      [`${title} ${hints?.search ?? ''}`, 2],
      [description, 1],
    ] as const;
    const has = (where: string, word: string) => where.toLowerCase().includes(word);
    const scores = words.flatMap((word) => weights.map(([where, weight]) => (has(where, word) ? weight : 0)));
    return scores.reduce<number>((sum, one) => sum + one, 0);
  };
  return [...listed, ...hidden]
    .map((tool) => ({ tool, score: scoreOf(tool) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}
