import {
  type CallToolResult,
  type ProtocolEra,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Call, Context, Features, ResourceProvider } from '../features/define.ts';
import { callTool } from './call.ts';
import { CancelledError, invalidParams, NotFoundError, toProtocolError } from './errors.ts';
import { page } from './page.ts';
import { progressOf } from './progress.ts';
import { listedTool } from './toolSchema.ts';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from './versions.ts';

/** Entries of one page of a list. */
const PAGE = 500;

const MINUTE = 60_000;

const INSTRUCTIONS = `This server is a VS Code window with a person at it. What you read here is what they see: text that \
they have not saved yet, and the problems that their language servers report. Prefer these tools to reading files from \
disk. Lines and columns are 1-based. A path may be absolute, a file: URI, or relative to a workspace folder.`;

/** What a session keeps between its requests, and lends to the server that the SDK asks for. */
export interface ServerState {
  era: ProtocolEra;
  ctx: Context;
  features: Features;
  /** URIs that the agent subscribed to in the older way. */
  subscribed: Set<string>;
  version: string;
  /** Resolves when it is known what the agent may touch. */
  ready(): Promise<void>;
  /** Called once the agent has said who it is. */
  onInitialized(): void;
  onRootsChanged(): void;
  onRootsListed(): void;
}

const cursor = z.object({ cursor: z.string().optional() });
const named = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() });
const addressed = z.object({ uri: z.string() });
const toComplete = z.object({
  ref: z.union([
    z.object({ type: z.literal('ref/prompt'), name: z.string() }),
    z.object({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/** Serves the features by the methods of MCP, in both eras, for one connection. */
export function createServer(state: ServerState): Server {
  const server = new Server(
    { name: 'workspace-mcp', title: 'Workspace MCP', version: state.version },
    {
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [...LEGACY_VERSIONS, ...MODERN_VERSIONS],
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      cacheHints: {
        'server/discover': { ttlMs: 60 * MINUTE, cacheScope: 'private' },
        'tools/list': { ttlMs: MINUTE, cacheScope: 'private' },
        'resources/templates/list': { ttlMs: 60 * MINUTE, cacheScope: 'private' },
      },
      // Asking the person through the agent is not among our features: nothing is ever validated by it.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not supported' }),
      },
    },
  );
  const { ctx } = state;
  /** Every method but tools/call: params checked by a schema of ours, errors shaped in one place. */
  const serve: Serve = (method, params, run) => {
    server.setRequestHandler(method, { params }, async (args, request) => {
      try {
        await state.ready();
        return await run(args as z.output<typeof params>, callOf(request));
      } catch (error) {
        if (!(error instanceof CancelledError)) logUnexpected(ctx, method, error);
        throw toProtocolError(error, method);
      }
    });
  };
  serveTools(server, state);
  serveResources(serve, state);
  servePrompts(serve, state);
  serveCompletions(serve, state);
  serveRoots(server, serve, state);
  server.oninitialized = state.onInitialized;
  return server;
}

type Serve = <P extends z.ZodObject>(
  method: string,
  params: P,
  run: (params: z.output<P>, call: Call) => Promise<Record<string, unknown>> | Record<string, unknown>,
) => void;

function serveTools(server: Server, { ctx, features, ready }: ServerState): void {
  const tools = new Map(features.tools.map((tool) => [tool.name, tool]));
  const sorted = [...features.tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  server.setRequestHandler('tools/list', { params: cursor }, (params) => {
    const { items, nextCursor } = page(sorted, (tool) => tool.name, PAGE, params.cursor);
    return { tools: items.map(listedTool), ...(nextCursor && { nextCursor }) };
  });
  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult> => {
    await ready();
    return callTool(tools, request.params, ctx, callOf(context));
  });
}

function serveResources(serve: Serve, { ctx, features, subscribed }: ServerState): void {
  serve('resources/list', cursor, async (params, call) => {
    const lists = await Promise.all(features.resources.map((provider) => provider.list(ctx, call)));
    const all =
      lists.length === 1 && lists[0] ? lists[0] : lists.flat().sort((a, b) => (a.uri < b.uri ? -1 : 1));
    const { items, nextCursor } = page(all, (item) => item.uri, PAGE, params.cursor);
    const resources = (await Promise.all(items.map((item) => item.describe()))).filter(
      (item) => item !== undefined,
    );
    return { resources, ...(nextCursor && { nextCursor }) };
  });
  serve('resources/templates/list', cursor, (params) => {
    const all = features.resources.flatMap((provider) => provider.templates);
    const { items, nextCursor } = page(all, (item) => item.uriTemplate, PAGE, params.cursor);
    return { resourceTemplates: items, ...(nextCursor && { nextCursor }) };
  });
  serve('resources/read', addressed, ({ uri }, call) => readResource(features.resources, uri, ctx, call));
  serve('resources/subscribe', addressed, async ({ uri }, call) => {
    await readResource(features.resources, uri, ctx, call); // what cannot be read is not watched either
    subscribed.add(uri);
    return {};
  });
  serve('resources/unsubscribe', addressed, ({ uri }) => {
    subscribed.delete(uri);
    return {};
  });
}

async function readResource(providers: readonly ResourceProvider[], uri: string, ctx: Context, call: Call) {
  if (!URL.canParse(uri)) throw invalidParams(`"${uri}" is not a URI. resources/list names those there are.`);
  try {
    for (const provider of providers) {
      const found = await provider.read(uri, ctx, call);
      if (found) return found;
    }
  } catch (error) {
    if (error instanceof NotFoundError) throw new ResourceNotFoundError(uri, error.message);
    throw error;
  }
  throw new ResourceNotFoundError(uri, `Resource not found: ${uri}. resources/list names those there are.`);
}

function servePrompts(serve: Serve, { ctx, features }: ServerState): void {
  serve('prompts/list', cursor, async (params, call) => {
    const lists = await Promise.all(features.prompts.map((provider) => provider.list(ctx, call)));
    const all = lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
    const { items, nextCursor } = page(all, (item) => item.name, PAGE, params.cursor);
    return { prompts: items, ...(nextCursor && { nextCursor }) };
  });
  serve('prompts/get', named, async ({ name, arguments: args = {} }, call) => {
    for (const provider of features.prompts) {
      const found = await provider.get(name, args, ctx, call);
      if (found) return found;
    }
    throw invalidParams(`Unknown prompt "${name}". prompts/list names those there are.`);
  });
}

function serveCompletions(serve: Serve, { ctx, features }: ServerState): void {
  serve('completion/complete', toComplete, async ({ ref, argument, context }, call) => {
    const wanted = { ...argument, others: context?.arguments ?? {} };
    const found =
      ref.type === 'ref/prompt'
        ? features.prompts.map((provider) => provider.complete(ref.name, wanted, ctx, call))
        : features.resources.map((provider) => provider.complete(ref.uri, wanted, ctx, call));
    for (const values of await Promise.all(found)) if (values) return { completion: values };
    throw invalidParams(
      ref.type === 'ref/prompt' ? `Unknown prompt "${ref.name}".` : `Unknown resource template "${ref.uri}".`,
    );
  });
}

/** `roots/list` goes from server to client in MCP; agents of the older versions ask it of the server as well. */
function serveRoots(
  server: Server,
  serve: Serve,
  { ctx, era, onRootsChanged, onRootsListed }: ServerState,
): void {
  if (era === 'modern') return;
  serve('roots/list', z.object({}), () => {
    onRootsListed();
    return { roots: ctx.files.folders().map(({ uri, name }) => ({ uri: uri.toString(), name })) };
  });
  server.setNotificationHandler('notifications/roots/list_changed', onRootsChanged);
}

const callOf = (context: ServerContext): Call => ({
  signal: context.mcpReq.signal,
  progress: progressOf(context),
});

function logUnexpected({ log }: Context, method: string, error: unknown): void {
  if (toProtocolError(error, method) === error || error instanceof NotFoundError) return;
  if (error instanceof Error && error.name === 'UserError') return log.info(`${method} refused`);
  log.error(error instanceof Error ? error : new Error(String(error)));
}
