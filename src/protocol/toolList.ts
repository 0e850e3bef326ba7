/** The list of tools that fits an agent, and the two tools that reach the rest. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CALL_TOOL } from '../core/calledTool.ts';
import { listChoice } from '../core/clients.ts';
import { coreEntry } from '../core/coreEntry.ts';
import { safeMessage, UserError } from '../core/errors.ts';
import { jsonText } from '../core/json.ts';
import { cutMiddle, fitting } from '../core/text/cut.ts';
import * as args from '../features/arguments.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import { LOOKS_ONLY, type Tool, type ToolList, text } from '../features/tool.ts';
import { blockedBy } from './blocked.ts';
import { closedToApps, hasApps } from './closedToApps.ts';
import { listedTool } from './toolSchema.ts';

const FIND = 'find_tools';
const CALL = CALL_TOOL.name;

/** Most UTF-16 units of tool names in a description. */
const MOST_NAMED = 900;
const MOST_FOUND = 10;
/** Words of a query, and UTF-16 units, that are looked at. */
const MOST_WORDS = 50;
const LONGEST_QUERY = 2_000;
/** UTF-16 units of what the agent sent, in errors. */
const LONGEST_ECHO = 100;
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

const isOffered = (tool: Tool, ctx: Context): boolean => !blockedBy(tool, ctx) && ctx.switches.isUseful(tool);

/** Stands for the tools of hosted servers, whose sources tell of changes of servers, but not of settings. */
const HOSTED = { name: 'hosted', group: 'hosted', operation: 'server', asksFor: 'server' } as const;

/**
 * The names of our own tools in the list of one agent, and of those that its description of find_tools names; and whether it gets those
 * of hosted servers, and which of them settings switch off.
 */
export function ownNames(features: Features, ctx: Context): string {
  const { listed, hidden } = ownTools(features, getsCore(ctx));
  const names = (tools: readonly Tool[]) =>
    tools.filter((tool) => isOffered(tool, ctx)).map(({ name }) => name);
  const off = ctx.switches.disabled().filter((name) => name.includes('__'));
  return [...names(listed), '', ...names(hidden), !blockedBy(HOSTED, ctx), ...off].join();
}

/** The tools of one agent that the window allows, and that it has a use for. */
export function toolsFor(features: Features, ctx: Context): ToolList {
  const own = ownTools(features, getsCore(ctx));
  const lists = [own, ...(features.toolSources ?? []).map((source) => source.list(ctx))];
  const offered = (tools: readonly Tool[]) => tools.filter((tool) => isOffered(tool, ctx));
  const hidden = offered(lists.flatMap((list) => list.hidden));
  const listed = offered(lists.flatMap((list) => list.listed));
  const notes = lists.flatMap((list) => list.notes ?? []);
  const search = hidden.length > 0 ? searchTools({ listed, hidden, notes }) : [];
  return { listed: sorted([...listed, ...offered(search)]), hidden, notes };
}

/** The entries of `tools/list`. */
export function entriesFor(features: Features, ctx: Context): ListedTool[] {
  const isCore = getsCore(ctx);
  const entryOf = (tool: Tool) =>
    isCore && !tool.listed ? coreEntry({ ...listedTool(tool) }) : listedTool(tool);
  const { listed } = toolsFor(features, ctx);
  const areClosed = hasApps(listed, ctx);
  const shownOf = (tool: Tool) => (areClosed && !tool.apps ? closedToApps(entryOf(tool)) : entryOf(tool));
  return listed.map((tool) => shownOf(tool) as ListedTool);
}

/** For the shim: the names of the core, and what reaches the rest. */
export function coreOf(features: Features): { names: string[]; search: ListedTool[] } {
  const own = ownTools(features, true);
  return { names: own.listed.map(({ name }) => name), search: searchTools(own).map(listedTool) };
}

/** The two tools that reach the hidden ones. Models do not find what only apps call. */
export function searchTools(list: ToolList): Tool[] {
  const listed = list.listed.filter(({ apps }) => apps !== 'only');
  return [findTool({ ...list, listed }), callTool(list)];
}

const findTool = (list: ToolList): Tool => ({
  name: FIND,
  title: 'Find tools',
  description: `Finds tools that are not in the list by what they are for: ${namesIn(list.hidden)}. Use it to get their arguments, then call them with ${CALL}.`,
  group: 'list',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    query: args.query.describe('Words for what the tool does, or a part of its name'),
  }),
  async run({ query }: { query: string }, ctx) {
    const found = ranked(query, list);
    const incomplete = safeMessage(ctx.files.redactor.text((list.notes ?? []).join(' ')));
    if (found.length === 0)
      throw new UserError(
        `No tool fits "${cutMiddle(query, LONGEST_ECHO)}". Look in tools/list, or try other English words. ${incomplete}`.trim(),
      );
    // An agent that calls this with nothing hidden has an older list.
    const isHidden = (tool: Tool) => list.hidden.length === 0 || list.hidden.includes(tool);
    const best = found.slice(0, MOST_FOUND);
    const texts = best.map((tool) => cutMiddle(described(tool, isHidden(tool)), LONGEST));
    const count = fitting(texts, args.DEFAULT_CHARACTERS, (one) => one.length + 2);
    const shown = texts.slice(0, count);
    const more = found.length - count;
    return text(
      ctx.files.redactor.text(shown.join('\n\n')),
      more > 0 ? `${more} more fit less well. Use more words to find them.` : undefined,
      incomplete,
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
    name: args.query.describe(`Such as ${hidden[0]?.name}`),
    arguments: z.looseObject({}).optional().describe('Arguments of that tool'),
  }),
  // A call of a tool that exists does not come here: see `calledBy`.
  async run({ name }: { name: string }) {
    const none = `There is no tool "${cutMiddle(name, LONGEST_ECHO)}". Find one with ${FIND}.`;
    throw new UserError(name === CALL ? `${CALL} cannot call itself.` : none);
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

/**
 * Best first, and of equal ones those in the list: each word counts more in the name than elsewhere, and the more the fewer tools
 * have it, so that a whole sentence finds as well as its best words.
 */
function ranked(query: string, { listed, hidden }: ToolList): Tool[] {
  const scored = [...listed, ...hidden]
    .filter(({ group }) => group !== 'list')
    .map((tool) => ({ tool, texts: searchedIn(tool), score: 0 }));
  const weightIn = (texts: Weighted[], part: string) =>
    texts.reduce((sum, [text, weight]) => sum + (text.includes(part) ? weight : 0), 0);
  for (const term of new Set(wordsIn(query.slice(0, LONGEST_QUERY)).slice(0, MOST_WORDS))) {
    // A short one may be anywhere in others.
    const part = /^[a-z\d]{1,3}$/.test(term) ? ` ${term}` : term.replace(/s$/, '');
    const weights = scored.map(({ texts }) => weightIn(texts, part));
    const rarity = Math.log((scored.length + 1) / weights.filter((weight) => weight > 0).length);
    for (const [index, one] of scored.entries()) if (weights[index]) one.score += weights[index] * rarity;
  }
  const found = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  return found.map(({ tool }) => tool);
}

type Weighted = readonly [text: string, weight: number];

/** Its texts in words, each after a space. */
const searchedIn = ({ name, title, description, hints }: Tool): Weighted[] => {
  const spaced = (text: string) => ` ${wordsIn(text).join(' ')}`;
  return [
    [spaced(name), 3],
    [spaced(`${title} ${hints?.search ?? ''}`), 2],
    [spaced(description), 1],
  ];
};

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
