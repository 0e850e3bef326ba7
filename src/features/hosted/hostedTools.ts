import type { InputRequiredResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import type { FieldChange } from '../../core/fieldChanges.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { namesInList } from '../../hosting/names/hostedNames.ts';
import { listedSchema } from '../../hosting/schemas/listedSchema.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { HostedTool } from '../../hosting/servers/offer.ts';
import type { Context } from '../context.ts';
import { LOOKS_ONLY, type Tool, type ToolCall, Unchecked } from '../tool.ts';
import { goesOn, sendAsking } from './askingCall.ts';
import { requireServer, whyGone } from './gone.ts';
import { redactedError } from './redacted.ts';
import { waitForStart } from './request.ts';

/** The tools of one server, by the names that agents use; without those that are held back. The same list until something changes. */
export function toolsOf(server: Hosted): readonly Tool[] {
  // The list does not wait for a server; it is told to have changed once the server has answered.
  if (!server.catalogue) server.read().catch(() => {}); // its state says why
  return madeOf(server).given;
}

/** One of them, also if it is held back or switched off: calling it then says why. */
export function hostedTool(name: string, ctx: Context): Tool | undefined {
  const [slug = ''] = name.split('__', 1);
  const server = ctx.hosted.bySlug(slug);
  if (!server) return undefined;
  if (!server.catalogue) return unread(server, name);
  return madeOf(server).all.find((tool) => tool.name === name) ?? switchedOff(server, name);
}

const switchedOff = (server: Hosted, name: string): Tool | undefined =>
  [...namesOf(server).values()].includes(name) ? refused(name, whyOff(server, name)) : undefined;

const whyOff = ({ name: server }: Hosted, name: string): string =>
  `Agents do not get the tool ${name}: the user has switched it off for the server ${server}. Do without it, or ask them to switch it on in the view of Workspace MCP.`;

/** What agents call its tools, by their own names. Those that are switched off have names too: no other tool gets one of them. */
const namesOf = ({ slug, catalogue }: Hosted): Map<string, string> =>
  namesInList(slug, catalogue?.tools ?? []);

/** A tool of no server that the agent has now. It may have had it in an earlier list. */
export function goneTool(name: string, ctx: Context): Tool | undefined {
  const [slug = '', rest] = name.split('__', 2);
  if (rest === undefined || ctx.hosted.bySlug(slug)) return undefined;
  return refused(name, whyGone(slug, ctx));
}

/** Answers every call with an error. */
const refused = (name: string, message: string): Tool => ({
  ...{ name, title: name, description: '', group: 'hosted', operation: 'read', annotations: LOOKS_ONLY },
  input: anything,
  run: () => Promise.reject(new UserError(message)),
});

/** Their schema is the server's to check. */
const anything = z.looseObject({});

interface Made {
  all: readonly Tool[];
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
  const all = tools.map((one) => toolOf(server, one.tool, names.get(`${one.tool.name}`) ?? ''));
  const now = { all, given: all.filter((_, index) => !tools[index]?.held) };
  made.set(tools, now);
  return now;
}

/** A tool of a server that has not said yet which it has. */
const unread = (server: Hosted, name: string): Tool => ({
  ...toolOf(server, { name }, name),
  operation: 'read',
  requireOn: (ctx) => requireServer(server, ctx),
  async run(_, ctx) {
    await server.read().catch((error) => {
      throw redactedError(error, ctx);
    });
    const hasIt = server.catalogue !== undefined && hostedTool(name, ctx) !== undefined;
    throw new UserError(
      hasIt ? `The server ${server.name} has just started. Call ${name} again.` : hasNone(server, name),
    );
  },
});

function toolOf(server: Hosted, tool: Fields, name: string): Tool {
  const annotations = fieldsOf(tool.annotations);
  const { schema, notes, toOwn } = listedSchema(tool.inputSchema);
  const description = [tool.description ?? '', ...notes].join('\n\n').trim();
  // Somebody else wrote a server of a file: what it says of its tools is not enough to ask nothing.
  const isReadOnly = annotations.readOnlyHint === true && server.server.source.kind === 'settings';
  return {
    name,
    title: `${tool.title ?? annotations.title ?? tool.name}`,
    description,
    group: 'hosted',
    operation: isReadOnly ? 'read' : 'server',
    annotations: isReadOnly
      ? LOOKS_ONLY
      : { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    listed: { ...tool, ...(notes.length > 0 && { description }), name, inputSchema: schema },
    input: anything,
    requireOn: (ctx) => requireOffered(server, tool, name, ctx),
    goesOn: (args: Fields, call) => goesOn(server, requestOf(tool, toOwn(args)), call),
    run: (args: Fields, ctx, call) => run(server, tool, toOwn(args), ctx, call),
  };
}

async function run(
  server: Hosted,
  tool: Fields,
  args: Fields,
  ctx: Context,
  call: ToolCall,
): Promise<InputRequiredResult | Unchecked> {
  const { annotations, name } = tool;
  const readOnly = fieldsOf(annotations).readOnlyHint === true;
  const request = requestOf(tool, args);
  if (!goesOn(server, request, call) && !(readOnly && server.server.source.kind === 'settings')) {
    if (server.state === 'starting') await waitForStart(server, ctx, call); // each call until then would ask the user
    await call.approve({
      kind: 'server',
      subject: `${name}`,
      server: { key: server.grantKey, name: server.name, tool: `${name}` },
      arguments: args,
    });
  }
  const came = await sendAsking(server, request, ctx, call, {
    readOnly,
    check: () => requireOffered(server, tool, call.tool, ctx), // the server has perhaps just been started for this call
  });
  return 'asks' in came ? came.asks : new Unchecked(came.result);
}

const requestOf = ({ name }: Fields, args: Fields) => ['tools/call', { name, arguments: args }] as const;

/** @throws UserError if the agent does not get the tool now. @param name as agents call it */
function requireOffered(server: Hosted, { name: own }: Fields, name: string, ctx: Context): void {
  requireServer(server, ctx);
  const offered = server.tools.find(({ tool }) => tool.name === own);
  if (offered?.held) throw heldBack(server, own, offered.held);
  if (offered) return;
  const hasIt = server.catalogue?.tools.some((tool) => tool.name === own);
  throw new UserError(hasIt ? whyOff(server, name) : hasNone(server, name));
}

const hasNone = ({ name: server }: Hosted, name: string): string =>
  `The server ${server} has no tool "${name}". See tools/list.`;

function heldBack({ name: server }: Hosted, tool: unknown, held: readonly FieldChange[]): UserError {
  const fields = held.map(({ field }) => field).join(', ');
  return new UserError(
    `The server ${server} changed its tool ${tool} after the user had approved it (${fields}), so it is held back. Ask the user to look at it in the view of Workspace MCP.`,
    { lines: true },
  );
}
