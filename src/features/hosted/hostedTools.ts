import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { UserError } from '../../core/messages.ts';
import { cutListText, type Hosted, type HostedTool, listedSchema, namesInList } from '../../hosting/index.ts';
import type { Context } from '../context.ts';
import {
  LOOKS_ONLY,
  STARTS_PROGRAMS,
  type Tool,
  type ToolCall,
  type ToolList,
  type ToolSource,
  Unchecked,
} from '../tool.ts';
import { isLaterRound, passedMeta, sendAsking } from './request.ts';
import { redactedTools, rethrowRedacted } from './shown.ts';

/** The tools of one server, by the names that agents use; without those that are held back. The same list until something changes. */
export function toolsOf(server: Hosted): readonly Tool[] {
  // The list does not wait for a server; it is told to have changed once the server has answered.
  if (!server.catalogue) server.read().catch(() => {}); // its state says why
  return madeOf(server).given;
}

/** One of them, also if it is held back or switched off: calling it then says why. */
export function hostedTool(name: string, ctx: Context): Tool | undefined {
  const server = ctx.hosted.find(name.slice(0, Math.max(0, name.indexOf('__'))));
  if (!server) return undefined;
  const tool = madeOf(server).byName.get(name);
  if (tool) return tool;
  if (!server.catalogue) return unread(server, name);
  const isOff = [...namesOf(server).values()].includes(name);
  if (isOff) return refused(name, whyOff(server, name));
  return server.catalogue.cut?.tools ? refused(name, hasNone(server, name)) : undefined;
}

const whyOff = ({ name: server }: Hosted, name: string): string =>
  `Agents do not get the tool ${name}: the user has switched it off for the server ${server}. Do without it, or ask them to switch it on in the view of Workspace MCP.`;

/** What agents call its tools, by their own names. Those that are switched off have names too: no other tool gets one of them. */
const namesOf = ({ slug, catalogue }: Hosted): Map<string, string> =>
  namesInList(slug, catalogue?.tools ?? []);

/** A tool of no server that the agent has now. It may have had it in an earlier list. */
export function goneTool(name: string, ctx: Context): Tool | undefined {
  const [slug = '', rest] = name.split('__', 2);
  if (rest === undefined || ctx.hosted.find(slug)) return undefined;
  return refused(name, ctx.hosted.whyGone(slug));
}

/** Answers every call with an error. */
const refused = (name: string, message: string): Tool => ({
  ...{ name, title: name, description: '', group: 'hosted', operation: 'read', annotations: LOOKS_ONLY },
  input: anything,
  run: (_, { files }) => Promise.reject(new UserError(files.redactor.text(message))), // it may quote a server
});

/** Their schema is the server's to check. */
const anything = z.looseObject({});

interface Made {
  byName: ReadonlyMap<string, Tool>;
  /** Those that are not held back. */
  given: readonly Tool[];
}

const made = new WeakMap<readonly HostedTool[], Made>();

/** Made once for each list of the server. */
function madeOf(server: Hosted): Made {
  const { tools } = server;
  const known = made.get(tools);
  if (known) return known;
  const names = namesOf(server);
  const all = tools.map((one) => toolOf(server, one, names.get(`${one.tool.name}`) ?? ''));
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const now = { byName, given: all.filter((_, index) => !tools[index]?.held) };
  made.set(tools, now);
  return now;
}

/** A tool of a server that has not said yet which it has. */
const unread = (server: Hosted, name: string): Tool => ({
  ...toolOf(server, { tool: { name } }, name),
  operation: 'read',
  requireOn: (ctx) => ctx.hosted.requireUsable(server),
  async run(_, ctx) {
    await server.read().catch(rethrowRedacted(ctx));
    const hasIt = server.catalogue !== undefined && hostedTool(name, ctx) !== undefined;
    throw new UserError(
      hasIt ? `The server ${server.name} has just started. Call ${name} again.` : hasNone(server, name),
    );
  },
});

function toolOf(server: Hosted, offered: HostedTool, name: string): Tool {
  const { tool } = offered;
  const annotations = fieldsOf(tool.annotations);
  const { schema, notes, toOwn } = listedSchema(tool.inputSchema);
  const description = [tool.description ?? '', ...notes].join('\n\n').trim();
  // Somebody else wrote a server of a file: what it says of its tools is not enough to ask nothing.
  const isReadOnly = annotations.readOnlyHint === true && server.server.source.kind === 'settings';
  const requestOf = (args: Fields) =>
    ['tools/call', { name: tool.name, arguments: toOwn ? toOwn(args) : args }] as const;
  const requireOn = (ctx: Context) => {
    ctx.hosted.requireUsable(server);
    if (offered.held || !server.offer.tools.includes(offered)) requireOffered(server, tool.name, name);
  };
  return {
    name,
    title: `${tool.title ?? annotations.title ?? tool.name}`,
    description,
    group: 'hosted',
    operation: isReadOnly ? 'read' : 'server',
    annotations: isReadOnly ? LOOKS_ONLY : STARTS_PROGRAMS,
    listed: { ...tool, ...(notes.length > 0 && { description }), name, inputSchema: schema },
    input: anything,
    requireOn,
    async run(args: Fields, ctx, call) {
      const request = requestOf(args);
      if (isReadOnly) call.goesOn(planned(server, tool, request, call));
      else await approveOnce(server, tool, request, ctx, call);
      const outcome = await sendAsking(server, request, ctx, call, {
        readOnly: annotations.readOnlyHint === true,
        check: requireOn, // the server has perhaps just been started for this call
      });
      return 'asks' in outcome ? outcome.asks : new Unchecked(outcome.result);
    },
  };
}

type ToolRequest = readonly ['tools/call', { name: unknown; arguments: Fields }];

/** A later round of a call goes on with the approval of the first one. */
async function approveOnce(
  server: Hosted,
  tool: Fields,
  request: ToolRequest,
  ctx: Context,
  call: ToolCall,
): Promise<void> {
  if (call.input.state !== undefined && isLaterRound(server, request, call)) return call.goesOn();
  const { signal } = call;
  if (server.isStarting)
    await server.use(ctx.author(), async () => {}, { signal }).catch(rethrowRedacted(ctx)); // each call until then would ask the user
  await call.approve(planned(server, tool, request, call));
}

/** With all that is sent to the server. */
function planned(
  { grantKey: key, name }: Hosted,
  { name: own, description }: Fields,
  [, { arguments: args }]: ToolRequest,
  call: ToolCall,
): PlannedAction {
  const tool = `${own}`;
  const meta = passedMeta(call);
  return {
    ...{ kind: 'server', subject: tool },
    server: { ...{ key, name, tool }, ...(typeof description === 'string' && { description }) },
    arguments: { ...args, ...(Object.keys(meta).length > 0 && { _meta: meta }) },
  };
}

/** @throws UserError if agents do not get the tool now. @param own its name at the server. @param name as agents call it */
function requireOffered(server: Hosted, own: unknown, name: string): void {
  const now = server.tools.find(({ tool }) => tool.name === own);
  if (now && !now.held) return;
  if (!now) {
    const hasIt = server.catalogue?.tools.some((tool) => tool.name === own);
    throw new UserError(hasIt ? whyOff(server, name) : hasNone(server, name));
  }
  const fields = now.held?.map(({ field }) => field).join(', ');
  throw new UserError(
    `The server ${server.name} changed its tool ${own} after the user had approved it (${fields}), so it is held back. Ask the user to look at it in the view of Workspace MCP.`,
    { lines: true },
  );
}

const hasNone = (server: Hosted, name: string): string =>
  `The server ${server.name} has no tool "${name}". ${cutNote(server) ?? 'See tools/list.'}`;

/** That its list has more tools than agents get; undefined if it has not. */
function cutNote({ name, catalogue }: Hosted): string | undefined {
  const cut = catalogue?.cut?.tools;
  return cut && `The list of tools of the server ${name} is not complete: ${cutListText(cut)}.`;
}

/** The tools of hosted servers. */
export const hostedTools: ToolSource = {
  list(ctx) {
    const { listed, hidden } = listing(ctx);
    const notes = ctx.hosted.all.flatMap((server) => cutNote(server) ?? []);
    return { listed: redactedTools(listed, ctx), hidden, notes };
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
