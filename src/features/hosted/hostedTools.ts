import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import {
  cutListText,
  type Hosted,
  type HostedTool,
  hostedUri,
  listedSchema,
  namesInList,
} from '../../hosting/index.ts';
import type { Context } from '../context.ts';
import { LOOKS_ONLY, STARTS_PROGRAMS, type Tool, type ToolCall, Unchecked } from '../tool.ts';
import { appsOf, appUriOf, withAppUri } from './apps.ts';
import { isLaterRound, passedMeta, sendAsking } from './request.ts';
import { type HostedRequest, rethrowRedacted } from './shown.ts';

/** The tools of one server, by the names that agents use; without those that are held back. The same list until something changes. */
export function toolsOf(server: Hosted): readonly Tool[] {
  // The list does not wait for a server: it changes once the server has answered.
  if (!server.catalogue) server.processes.read().catch(() => {}); // its state says why
  return madeOf(server).given;
}

/** A tool of a server, also if it is held back or switched off: calling it then says why. */
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

/** What agents call its tools, by their own names. A tool that is switched off has a name too: no other tool gets it. */
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
  name,
  title: name,
  description: '',
  group: 'hosted',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: anything,
  run: (_, { files }) => Promise.reject(new UserError(files.redactor.text(message))), // it may quote a server
});

/** The server checks its arguments itself. */
const anything = z.looseObject({});

interface MadeTools {
  byName: ReadonlyMap<string, Tool>;
  /** Without those that are held back. */
  given: readonly Tool[];
}

const made = new WeakMap<readonly HostedTool[], MadeTools>();

/** Made once for each list of the server. */
function madeOf(server: Hosted): MadeTools {
  const { tools } = server.offer;
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
    await server.processes.read().catch(rethrowRedacted(ctx));
    const hasIt = server.catalogue !== undefined && hostedTool(name, ctx) !== undefined;
    throw new UserError(
      hasIt ? `The server ${server.name} has just started. Call ${name} again.` : hasNone(server, name),
    );
  },
});

function toolOf(server: Hosted, offered: HostedTool, name: string): Tool {
  const { tool } = offered;
  const annotations = fieldsOf(tool.annotations);
  // An agent calls it as any other tool: a task of the server is followed here.
  const { execution, ...listed } = tool;
  const { taskSupport } = fieldsOf(execution);
  const page = appUriOf(tool);
  const { schema, notes, toOwn } = listedSchema(tool.inputSchema);
  const description = [tool.description ?? '', ...notes].join('\n\n').trim();
  // Somebody else wrote a server of a file: what it says of its tools is not enough to ask nothing.
  const isBelieved = server.config.source.kind === 'settings' && !server.options.tools.askReadOnly;
  const readOnly = annotations.readOnlyHint === true;
  const isUnasked = readOnly && isBelieved;
  const requireOn = (ctx: Context) => {
    ctx.hosted.requireUsable(server);
    if (offered.held || !server.offer.tools.includes(offered)) requireOffered(server, tool.name, name);
  };
  return {
    name,
    title: `${tool.title ?? annotations.title ?? tool.name}`,
    description,
    group: 'hosted',
    operation: isUnasked ? 'read' : 'server',
    alsoNeeds: ['server'],
    asksFor: 'server', // what the user denies is not called without a question either
    annotations: isUnasked ? LOOKS_ONLY : STARTS_PROGRAMS,
    apps: appsOf(tool, server),
    listed: withAppUri(
      { ...listed, ...(notes.length > 0 && { description }), name, inputSchema: schema },
      page === undefined ? undefined : hostedUri(server.slug, page),
    ),
    input: anything,
    requireOn,
    async run(args: Fields, ctx, call) {
      const params = { name: tool.name, arguments: toOwn ? toOwn(args) : args };
      // The server has perhaps just been started for this call, so it is checked again.
      const how = { readOnly, taskSupport, check: requireOn };
      const request = { server, method: 'tools/call', params, ctx, call, ...how };
      const action = planned(server, tool, { ...params.arguments, ...metaIn(call) });
      if (isUnasked) call.skipQuestion(action);
      else await approveOnce(request, action, call);
      const outcome = await sendAsking(request);
      return 'asks' in outcome ? outcome.asks : new Unchecked(outcome.result);
    },
  };
}

/** A later round of a call goes on with the approval of the first one. */
async function approveOnce(request: HostedRequest, action: PlannedAction, call: ToolCall): Promise<void> {
  const { server, ctx } = request;
  if (isLaterRound(request)) return call.skipQuestion();
  if (server.processes.isStarting)
    // Each call until then would ask the user.
    await server
      .withClient(ctx.author(), async () => {}, { signal: call.signal })
      .catch(rethrowRedacted(ctx));
  await call.approve(action);
}

/** @param args all that is sent to the server */
const planned = ({ grantKey: key, name }: Hosted, tool: Fields, args: Fields): PlannedAction => ({
  kind: 'server',
  subject: `${tool.name}`,
  server: {
    key,
    name,
    tool: `${tool.name}`,
    ...(typeof tool.description === 'string' && { description: tool.description }),
  },
  arguments: args,
});

function metaIn(call: ToolCall): Fields {
  const meta = passedMeta(call);
  return Object.keys(meta).length > 0 ? { _meta: meta } : {};
}

/** @throws UserError if agents do not get the tool now. @param own its name at the server. @param name as agents call it */
function requireOffered(server: Hosted, own: unknown, name: string): void {
  const now = server.offer.tools.find(({ tool }) => tool.name === own);
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
export function cutNote({ name, catalogue }: Hosted): string | undefined {
  const cut = catalogue?.cut?.tools;
  return cut && `The list of tools of the server ${name} is not complete: ${cutListText(cut)}.`;
}
