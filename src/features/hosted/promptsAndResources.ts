import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { refusal } from '../../access/accessRules.ts';
import { closedBy } from '../../access/protectedPaths.ts';
import { attempt, NotFoundError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { asJudged } from '../../core/paths.ts';
import { type Hosted, hostedUri, namesInList, originalUri } from '../../hosting/index.ts';
import type { Argument, Completion, Context } from '../context.ts';
import type { PromptProvider } from '../features.ts';
import type { ResourceProvider } from '../resource.ts';
import { send, sendAsking } from './request.ts';
import { type HostedRequest, redactedItems } from './shown.ts';

/** A prompt or resource, by the name or URI that the server has for it. */
interface Found {
  server: Hosted;
  own: string;
}

/** The prompts of the hosted servers: `mysql__explain`. */
export const hostedPrompts: PromptProvider = {
  async list(ctx) {
    return ctx.hosted.all.flatMap((server) => {
      const names = namesOf(server);
      const prompts = (server.catalogue?.prompts ?? []).map(
        (prompt) => ({ ...prompt, name: names.get(`${prompt.name}`) }) as Prompt,
      );
      return redactedItems(prompts, 'name', ctx);
    });
  },

  async get(name, args, ctx, call) {
    const found = findPrompt(name, ctx);
    if (!found) return undefined;
    const params = { name: found.own, arguments: args };
    const outcome = await sendAsking(reading(found, 'prompts/get', params, { ctx, call }));
    return 'asks' in outcome ? outcome.asks : (outcome.result as GetPromptResult);
  },

  async complete(name, argument, ctx, call) {
    const found = findPrompt(name, ctx);
    return found && complete(found, { type: 'ref/prompt', name: found.own }, argument, { ctx, call });
  },

  watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList) as { dispose(): void },
};

type Caller = Pick<HostedRequest, 'ctx' | 'call'>;

/** A request that changes nothing. */
const reading = ({ server }: Found, method: string, params: Fields, caller: Caller): HostedRequest => ({
  server,
  method,
  params,
  ...caller,
  readOnly: true,
  check: ({ hosted }) => hosted.requireUsable(server),
});

async function complete(
  found: Found,
  ref: object,
  { name, value, others }: Argument,
  caller: Caller,
): Promise<Completion> {
  const more = Object.keys(others).length > 0 ? { context: { arguments: others } } : {};
  const params = { ref, argument: { name, value }, ...more };
  const answer = await send(reading(found, 'completion/complete', params, caller));
  return fieldsOf(answer).completion as Completion;
}

function findPrompt(name: string, ctx: Context): Found | undefined {
  const [slug = ''] = name.split('__', 1);
  const server = ctx.hosted.find(slug);
  const own = server && [...namesOf(server)].find(([, hosted]) => hosted === name)?.[0];
  return own === undefined || !server ? undefined : { server, own };
}

const namesOf = ({ slug, catalogue }: Hosted): Map<string, string> =>
  namesInList(slug, catalogue?.prompts ?? []);

/** The resources of the hosted servers: `hosted://<server>/<URI at the server>`. */
export const hostedResources: ResourceProvider = {
  templates: [],

  moreTemplates: (ctx) =>
    ctx.hosted.all.flatMap(({ slug, catalogue }) => {
      const templates = (catalogue?.resourceTemplates ?? []).map(
        (template) =>
          ({ ...template, uriTemplate: hostedUri(slug, `${template.uriTemplate}`) }) as ResourceTemplateType,
      );
      return redactedItems(templates, 'uriTemplate', ctx);
    }),

  async list(ctx) {
    const all = ctx.hosted.all.flatMap(({ slug, catalogue }) =>
      (catalogue?.resources ?? []).map(
        (resource) => ({ ...resource, uri: hostedUri(slug, `${resource.uri}`) }) as Resource,
      ),
    );
    return all
      .sort((a, b) => (a.uri < b.uri ? -1 : 1))
      .map((resource) => ({
        uri: resource.uri,
        describe: async () => redactedItems([resource], 'uri', ctx)[0],
      }));
  },

  async read(uri, ctx, call) {
    const found = findResource(uri, ctx);
    if (!found) return undefined;
    const { own } = found;
    ctx.files.policy.requireOperation('read');
    await requireOpen(own, ctx);
    const asking = sendAsking(reading(found, 'resources/read', { uri: own }, { ctx, call }));
    const outcome = await asking.catch(rethrowUnserved(own, ctx));
    // Questions for the agent pass as well: only hosted resources have them.
    return ('asks' in outcome ? outcome.asks : outcome.result) as ReadResourceResult;
  },

  canonical: (uri, ctx) => (originalUri(uri) ? canonical(uri, ctx) : undefined),

  async complete(template, argument, ctx, call) {
    const found = findResource(template, ctx);
    return found && complete(found, { type: 'ref/resource', uri: found.own }, argument, { ctx, call });
  },

  watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList) as { dispose(): void },

  followOne([uri = ''], ctx, onContent) {
    const found = findResource(uri, ctx);
    return (
      found &&
      new ctx.vscode.Disposable(found.server.follow(ctx.author().id, found.own, () => onContent(uri)))
    );
  },
};

async function canonical(uri: string, ctx: Context): Promise<string> {
  const found = findResource(uri, ctx);
  if (!found) return uri;
  await requireOpen(found.own, ctx);
  return hostedUri(found.server.slug, found.own);
}

/**
 * A server may serve any file that it is asked for, and nobody is asked about resources.
 *
 * @throws UserError if the URI is that of a file that is closed to the agent; one outside the workspace only if it is a secret
 */
async function requireOpen(own: string, { files }: Context): Promise<void> {
  const path = attempt(() => fileURLToPath(own));
  if (path === undefined) return;
  if (files.policy.closedAsNamed(path)?.by === 'outside') {
    const reason = closedBy(asJudged(path, process.platform));
    if (reason) throw refusal(path, { by: 'secret', reason }, []);
  } else
    await files.locateUri(pathToFileURL(path).href).catch((error) => {
      if (!(error instanceof NotFoundError)) throw error; // the server may have it all the same
    });
}

/** Many servers link to files, but do not serve them as resources: says why the file cannot be read here either. */
const rethrowUnserved =
  (own: string, { files }: Context) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof ProtocolError) || !/^file:/i.test(own)) throw error;
    const why = await files.locateUri(own).then(
      () => 'read_file reads it.',
      (reason: Error) => reason.message,
    );
    throw new ProtocolError(
      error.code,
      `The server names this file, but does not serve it: ${error.message} ${why}`,
    );
  };

/** Undefined if it is not a URI of ours. @throws NotFoundError if it is, but there is no such server */
function findResource(uri: string, ctx: Context): Found | undefined {
  const original = originalUri(uri);
  if (!original) return undefined;
  const server = ctx.hosted.find(original.slug);
  if (!server) throw new NotFoundError(ctx.hosted.whyGone(original.slug));
  return { server, own: original.uri };
}
