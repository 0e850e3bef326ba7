import { ResourceNotFoundError, type ResourceTemplateType } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { NotFoundError } from '../../core/errors.ts';
import { page, wholePage } from '../../core/page.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import type { Context } from '../../features/context.ts';
import type { Features } from '../../features/features.ts';
import type { ResourceProvider } from '../../features/resource.ts';
import { Turns } from '../../util/keyedQueue.ts';
import { invalidParams } from '../errors.ts';
import { resourcePage } from '../resourcePage.ts';
import type { Serve, ServerState } from '../state.ts';
import { cursorParams } from './cursorParams.ts';

const addressed = z.object({ uri: z.string() });

/** In the order of `resources/templates/list`. */
export const sortedTemplates = (
  { resources }: Pick<Features, 'resources'>,
  ctx?: Context,
): ResourceTemplateType[] =>
  resources
    .flatMap((provider) => [...provider.templates, ...((ctx && provider.moreTemplates?.(ctx)) ?? [])])
    .sort((a, b) => (a.uriTemplate < b.uriTemplate ? -1 : 1));

/** `resources/list`, `templates/list`, `read`, and the older `subscribe` and `unsubscribe`. */
export function serveResources(serve: Serve, { ctx, features, subscriptions }: ServerState): void {
  const providers = features.resources;
  /** Keeps `unsubscribe` from overtaking `subscribe`. */
  const turns = new Turns();
  serve('resources/list', cursorParams, async ({ cursor }, call) => {
    const lists = await Promise.all(providers.map((provider) => provider.list(ctx, call)));
    const { items, nextCursor } = resourcePage(lists, cursor);
    const described = await Promise.all(items.map((item) => item.describe()));
    return { resources: described.filter((item) => item !== undefined), ...(nextCursor && { nextCursor }) };
  });
  serve('resources/templates/list', cursorParams, ({ cursor }) => {
    const { items, nextCursor } = page(
      'templates',
      sortedTemplates(features, ctx),
      (item) => item.uriTemplate,
      cursor,
      wholePage,
    );
    return { resourceTemplates: items, ...(nextCursor && { nextCursor }) };
  });
  serve('resources/read', addressed, async ({ uri }, call) => {
    requireUri(uri);
    return { ...(await first(providers, uri, (one) => one.read(uri, ctx, call))).result };
  });
  serve('resources/subscribe', addressed, async ({ uri }, call) => {
    requireUri(uri);
    return turns.take(uri, async () => {
      ctx.files.policy.requireOperation('read');
      const { provider, result } = await first(providers, uri, (one) => one.canonical(uri, ctx));
      if (call.signal.aborted) return {};
      subscriptions.requireRoom([uri]);
      subscriptions.set(uri, provider, result);
      return {};
    });
  });
  serve('resources/unsubscribe', addressed, async ({ uri }) => {
    requireUri(uri);
    return turns.take(uri, async () => {
      subscriptions.delete(uri); // not an error if there was none: the agent has what it wants
      return {};
    });
  });
}

/** The first provider that has the resource, and its answer. @throws ProtocolError if none has it, or it does not exist */
async function first<T>(
  providers: readonly ResourceProvider[],
  uri: string,
  ask: (provider: ResourceProvider) => Promise<T | undefined> | undefined,
): Promise<{ provider: ResourceProvider; result: T }> {
  try {
    for (const provider of providers) {
      const result = await ask(provider);
      if (result) return { provider, result };
    }
  } catch (error) {
    if (error instanceof NotFoundError) throw new ResourceNotFoundError(uri, error.message);
    throw error;
  }
  throw new ResourceNotFoundError(uri, `Resource not found: ${visible(uri)}. See resources/list.`);
}

function requireUri(uri: string): void {
  if (!URL.canParse(uri)) throw invalidParams(`"${uri}" is not a URI. See resources/list.`);
}
