import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { TASKS } from '../core/mcpExtensions.ts';
import { cutText } from '../core/text/cut.ts';
import { visible } from '../core/text/visible.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import { redactedItems } from '../features/hosted/shown.ts';
import type { Serve, ServedConnection } from './connection.ts';
import { reportError, toProtocolError } from './errors.ts';
import { levelParams, states, withCall } from './requestCall.ts';
import { servePrompts, serveResources, sortedTemplates } from './resources.ts';
import { serveTasks } from './taskMethods.ts';
import { coreOf, sorted } from './toolList.ts';
import { listedTool } from './toolSchema.ts';
import { PassingServer, serveTools } from './tools.ts';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from './wire/incoming.ts';

const MINUTE = 60_000;

const STRENGTHS = `Prefer these tools to your own. read_file and search_text include text that the user has not saved \
yet. edit_file shows the user a diff to approve. get_diagnostics has the errors of live language \
servers, without a build. get_symbol and find_references find code by symbol, with no false hits. \
get_editor_state knows what the user means by "this" or "here".`;

/** Codex shows its model 250 characters before it searches. */
const INSTRUCTIONS = `This server is a VS Code window of the user: live errors, references, rename, tests, debugger, terminals, \
unsaved text. A tool a__b is tool b of another server, a. ${STRENGTHS} Lines and columns are 1-based. Paths are \
absolute, file: URIs, or relative to a workspace folder.`;

const OPTIONS = {
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
  requestState: { verify: states.verify },
  // Never used: a feature that asks for input validates it. The SDK's validator is larger than all our code.
  jsonSchemaValidator: {
    getValidator: () => () => ({
      valid: false,
      data: undefined,
      errorMessage: 'Features check their input.',
    }),
  },
} satisfies ServerOptions;

const MODERN_CAPABILITIES = { ...OPTIONS.capabilities, extensions: { [TASKS]: {} } };

/** @param version of the extension */
const serverInfo = (version: string): Implementation => ({
  name: 'workspace-mcp',
  title: 'Workspace MCP',
  version,
});

/**
 * The lists of a server in any window, with all tools switched on: plain JSON, each list on one page, versions newest first.
 * Built into the shim, because an agent asks for its tools once, at its start, even if no window is open yet.
 *
 * @param version of the extension
 */
export const catalogue = (features: Features, version: string) => ({
  serverInfo: serverInfo(version),
  instructions: OPTIONS.instructions,
  capabilities: { legacy: OPTIONS.capabilities, modern: MODERN_CAPABILITIES },
  versions: { legacy: LEGACY_VERSIONS, modern: MODERN_VERSIONS },
  tools: sorted(features.tools).map(listedTool),
  core: coreOf(features),
  resourceTemplates: sortedTemplates(features),
});

/** An MCP server with the features, for one connection of either era. */
export function createServer(state: Omit<ServedConnection, 'server'>): Server {
  const instructions = [INSTRUCTIONS, ...instructionsOfHosted(state.ctx)].join('\n');
  const capabilities = state.era === 'modern' ? MODERN_CAPABILITIES : OPTIONS.capabilities;
  const server = new PassingServer(serverInfo(state.version), { ...OPTIONS, capabilities, instructions });
  const connection: ServedConnection = { ...state, server };
  const { ctx, roots } = connection;
  const serve: Serve = (method, params, run, { isForAnyRoots = false } = {}) => {
    server.setRequestHandler(method, { params }, (args, context) => {
      const { name, uri = '' } = args as { name?: unknown; uri?: unknown };
      return withCall(context, `${name ?? uri}`, connection, async (call) => {
        try {
          if (!isForAnyRoots) await Promise.all([roots.known(), ctx.files.restored()]);
          return await run(args as z.output<typeof params>, call);
        } catch (error) {
          reportError(ctx.log, call, method, error);
          throw toProtocolError(error, method);
        }
      });
    });
  };
  serveTools(serve, connection);
  serveResources(serve, connection);
  servePrompts(serve, connection);
  if (connection.era === 'legacy') serveOlder(serve, connection);
  else serveTasks(serve, connection);
  server.oninitialized = () => roots.ask(server);
  return server;
}

/**
 * The methods that do not exist since 2026-07-28: `logging/setLevel`, because each request names its level, and `roots/list`. In
 * MCP the server sends that to the client, but some agents also send it to the server.
 */
function serveOlder(serve: Serve, connection: ServedConnection): void {
  const { server, ctx, roots } = connection;
  serve('logging/setLevel', levelParams, ({ level }) => {
    connection.logLevel = level;
    ctx.hosted.setLogLevel(level);
    return {};
  });
  serve('roots/list', z.object({}), () => {
    connection.onRootsListed();
    return { roots: ctx.files.shownFolders().map(({ uri, name }) => ({ uri: uri.toString(), name })) };
  });
  server.setNotificationHandler('notifications/roots/list_changed', () => roots.ask(server));
}

/** Most UTF-16 units of one server's instructions. */
const MOST_INSTRUCTIONS = 300;

const instructionsOfHosted = (ctx: Context): string[] =>
  ctx.hosted.all.flatMap(({ slug, catalogue }) =>
    redactedItems([{ text: catalogue?.instructions ?? '' }], undefined, ctx)
      .filter(({ text }) => text !== '')
      .map(({ text }) => `Tools ${slug}__*: ${cutText(visible(text), MOST_INSTRUCTIONS)}`),
  );
