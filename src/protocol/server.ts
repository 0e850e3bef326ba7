import {
  type Implementation,
  isInputRequiredResult,
  type Result,
  Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { fieldsOf } from '../core/json.ts';
import { cutText } from '../core/text/cutText.ts';
import { visible } from '../core/text/escapeInvisible.ts';
import type { Context } from '../features/context.ts';
import { redactedItems } from '../features/hosted/redacted.ts';
import { Unchecked } from '../features/tool.ts';
import { reportError, toProtocolError } from './errors.ts';
import { inputOf, states } from './input.ts';
import { serveCompletions } from './methods/completions.ts';
import { levelOf, logTo, serveLogging } from './methods/logging.ts';
import { servePrompts } from './methods/prompts.ts';
import { serveResources } from './methods/resources.ts';
import { serveRoots } from './methods/roots.ts';
import { serveTools } from './methods/tools.ts';
import { withProgress } from './progress.ts';
import type { During, Serve, ServerState } from './state.ts';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from './wire/versions.ts';

const MINUTE = 60_000;

/** Advantages over an agent's own tools, for the model. */
const STRENGTHS = `Prefer these tools to your own. read_file and search_text include text that the user has not saved \
yet. edit_file shows the user a diff to approve, and one undo takes it back. get_diagnostics has the errors of live language \
servers, without a build. get_symbol, find_references and find_calls find code by symbol, with no false hits. \
get_editor_state knows what the user means by "this" or "here".`;

const INSTRUCTIONS = `This server is the VS Code window of the user. ${STRENGTHS} Lines and columns are 1-based. Paths are \
absolute, file: URIs, or relative to a workspace folder.`;

/** The options of the SDK's server: instructions, versions and capabilities. */
export const OPTIONS = {
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

/** @param version of the extension */
export const serverInfo = (version: string): Implementation => ({
  name: 'workspace-mcp',
  title: 'Workspace MCP',
  version,
});

type Handler = Parameters<Server['_wrapHandler']>[1];

const EMPTY: Result = { content: [] };

/**
 * The SDK checks results of tools: those of hosted servers would lose fields and contents that it does not know, and our own are right
 * by their types. So they pass around it; requests for input do not.
 */
class PassingServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return async (request, context) => {
      let passed: Result | undefined;
      const checked = super._wrapHandler(method, async (...given) => {
        const result: unknown = await handler(...given);
        if (isInputRequiredResult(result)) return result;
        passed = (result instanceof Unchecked ? result.result : result) as Result;
        return EMPTY;
      });
      const result = await checked(request, context);
      return passed ?? result;
    };
  }
}

/** An MCP server with the features, for one connection of either era. */
export function createServer(state: ServerState): Server {
  const instructions = [INSTRUCTIONS, ...instructionsOfHosted(state.ctx)].join('\n');
  const server = new PassingServer(serverInfo(state.version), { ...OPTIONS, instructions });
  const during: During = (context, of, run) =>
    withProgress(context, (progress) =>
      run({
        signal: context.mcpReq.signal,
        makeRoom: (bytes) => state.makeRoom(context.mcpReq.id, bytes, context.mcpReq.signal),
        input: inputOf(context, server, of),
        progress,
        log: logTo(context, state),
        logLevel: levelOf(context, state),
        meta: fieldsOf(context.mcpReq._meta),
      }),
    );
  const serve: Serve = (method, params, run, { isForAnyRoots = false } = {}) => {
    server.setRequestHandler(method, { params }, (args, context) =>
      during(context, nameIn(args), async (call) => {
        try {
          if (!isForAnyRoots) await Promise.all([state.ready(), state.ctx.files.restored()]);
          return await run(args as z.output<typeof params>, call);
        } catch (error) {
          reportError(state.ctx.log, call, method, error);
          throw toProtocolError(error, method);
        }
      }),
    );
  };
  serveTools(server, serve, state, during);
  serveResources(serve, state);
  servePrompts(serve, state);
  serveCompletions(serve, state);
  serveLogging(serve, state);
  serveRoots(server, serve, state);
  server.oninitialized = state.askForRoots;
  return server;
}

/** Most UTF-16 units of one server's instructions. */
const MOST_INSTRUCTIONS = 300;

const instructionsOfHosted = (ctx: Context): string[] =>
  ctx.hosted.all.flatMap(({ slug, catalogue }) =>
    redactedItems([{ text: catalogue?.instructions ?? '' }], undefined, ctx)
      .filter(({ text }) => text !== '')
      .map(({ text }) => `Tools ${slug}__*: ${cutText(visible(text), MOST_INSTRUCTIONS)}`),
  );

/** The prompt or resource of a request; empty if it has none. */
function nameIn(params: { name?: unknown; uri?: unknown }): string {
  return `${params.name ?? params.uri ?? ''}`;
}
