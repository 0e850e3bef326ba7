import {
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { visible } from '../../core/visible.ts';
import type { Call, Context, Features, ResourceProvider } from '../../features/define.ts';
import { invalidParams, NotFoundError } from '../errors.ts';
import { requireRoom } from '../limits.ts';
import { cursorParams, page } from '../page.ts';
import { resourcePage } from '../resourcePage.ts';
import type { Serve, ServerState } from '../state.ts';

const addressed = z.object({ uri: z.string() });

/** In the order in which `resources/templates/list` names them. */
export const sortedTemplates = ({ resources }: Pick<Features, 'resources'>): ResourceTemplateType[] =>
  resources
    .flatMap((provider) => provider.templates)
    .sort((a, b) => (a.uriTemplate < b.uriTemplate ? -1 : 1));

/** `resources/list`, `templates/list`, `read`, and the older `subscribe` and `unsubscribe`. */
export function serveResources(serve: Serve, { ctx, features, subscribed }: ServerState): void {
  const providers = features.resources;
  /** The newest request for each resource that is being subscribed to. */
  const subscribing = new Map<string, object>();
  serve('resources/list', cursorParams, async ({ cursor }, call) => {
    const lists = await Promise.all(providers.map((provider) => provider.list(ctx, call)));
    const { items, nextCursor } = resourcePage(lists, cursor);
    const described = await Promise.all(items.map((item) => item.describe()));
    return { resources: described.filter((item) => item !== undefined), ...(nextCursor && { nextCursor }) };
  });
  serve('resources/templates/list', cursorParams, ({ cursor }) => {
    const { items, nextCursor } = page(
      'templates',
      sortedTemplates(features),
      (item) => item.uriTemplate,
      cursor,
    );
    return { resourceTemplates: items, ...(nextCursor && { nextCursor }) };
  });
  serve('resources/read', addressed, async ({ uri }, call) => ({
    ...(await read(providers, uri, ctx, call)).result,
  }));
  serve('resources/subscribe', addressed, async ({ uri }, call) => {
    if (!subscribed.has(uri)) requireRoom(subscribed.size);
    const asked = {};
    subscribing.set(uri, asked);
    try {
      const { provider } = await read(providers, uri, ctx, call); // what cannot be read is not watched either
      const canonical = await provider.canonical(uri, ctx);
      // The agent may have taken it back meanwhile.
      if (subscribing.get(uri) === asked && !call.signal.aborted) subscribed.set(uri, canonical);
    } finally {
      if (subscribing.get(uri) === asked) subscribing.delete(uri);
    }
    return {};
  });
  serve('resources/unsubscribe', addressed, ({ uri }) => {
    requireUri(uri);
    subscribing.delete(uri);
    subscribed.delete(uri); // also where it never was there: the agent has what it wants
    return {};
  });
}

async function read(
  providers: readonly ResourceProvider[],
  uri: string,
  ctx: Context,
  call: Call,
): Promise<{ provider: ResourceProvider; result: ReadResourceResult }> {
  requireUri(uri);
  try {
    for (const provider of providers) {
      const result = await provider.read(uri, ctx, call);
      if (result) return { provider, result };
    }
  } catch (error) {
    if (error instanceof NotFoundError) throw new ResourceNotFoundError(uri, error.message);
    throw error;
  }
  throw new ResourceNotFoundError(
    uri,
    `Resource not found: ${visible(uri)}. resources/list names those there are.`,
  );
}

function requireUri(uri: string): void {
  if (!URL.canParse(uri)) throw invalidParams(`"${uri}" is not a URI. resources/list names those there are.`);
}
