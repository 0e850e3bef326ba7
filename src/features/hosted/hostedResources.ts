import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { NotFoundError } from '../../core/errors.ts';
import { type Hosted, hostedUri, originalUri } from '../../hosting/index.ts';
import type { Context } from '../context.ts';
import type { ResourceProvider } from '../resource.ts';
import { complete } from './hostedPrompts.ts';
import { sendAsking } from './request.ts';
import { redactedItems } from './shown.ts';

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
    const found = find(uri, ctx);
    if (!found) return undefined;
    const { server, own } = found;
    ctx.files.policy.requireOperation('read');
    const outcome = await sendAsking(server, ['resources/read', { uri: own }], ctx, call, { readOnly: true });
    // Questions for the agent pass as well: only hosted resources have them.
    return ('asks' in outcome ? outcome.asks : outcome.result) as ReadResourceResult;
  },

  canonical: (uri, ctx) => (originalUri(uri) ? canonical(uri, ctx) : undefined),

  async complete(template, argument, ctx, call) {
    const found = originalUri(template) && find(template, ctx);
    return found && complete(found.server, { type: 'ref/resource', uri: found.own }, argument, ctx, call);
  },

  watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList) as { dispose(): void },

  followOne([uri = ''], ctx, onContent) {
    const found = find(uri, ctx);
    return (
      found && new ctx.vscode.Disposable(ctx.hosted.follow(found.server, found.own, () => onContent(uri)))
    );
  },
};

async function canonical(uri: string, ctx: Context): Promise<string> {
  const found = find(uri, ctx);
  return found ? hostedUri(found.server.slug, found.own) : uri;
}

/** Undefined if it is not a URI of ours. @throws NotFoundError if it is, but there is no such server */
function find(uri: string, ctx: Context): { server: Hosted; own: string } | undefined {
  const original = originalUri(uri);
  if (!original) return undefined;
  const server = ctx.hosted.find(original.slug);
  if (!server) throw new NotFoundError(ctx.hosted.whyGone(original.slug));
  return { server, own: original.uri };
}
