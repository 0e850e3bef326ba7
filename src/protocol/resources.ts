import { createHash } from 'node:crypto';
import { ResourceNotFoundError, type ResourceTemplateType } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { NotFoundError } from '../core/errors.ts';
import { decodeCursor, encodeCursor, mergeSorted, PAGE, wholePage } from '../core/page.ts';
import { visible } from '../core/text/visible.ts';
import type { Context } from '../features/context.ts';
import type { Features } from '../features/features.ts';
import type { Listed, ResourceList, ResourceProvider } from '../features/resource.ts';
import { KeyedQueue } from '../util/queues.ts';
import { cursorParams, type Serve, type ServedConnection } from './connection.ts';
import { invalidParams } from './errors.ts';

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
export function serveResources(serve: Serve, { ctx, features, subscriptions }: ServedConnection): void {
  const providers = features.resources;
  /** Keeps `unsubscribe` from overtaking `subscribe`. */
  const turns = new KeyedQueue();
  serve('resources/list', cursorParams, async ({ cursor }, call) => {
    const lists = await Promise.all(providers.map((provider) => provider.list(ctx, call)));
    const { items, nextCursor } = resourcePage(lists, cursor);
    const described = await Promise.all(items.map((item) => item.describe()));
    return { resources: described.filter((item) => item !== undefined), ...(nextCursor && { nextCursor }) };
  });
  serve('resources/templates/list', cursorParams, ({ cursor }) =>
    wholePage('resourceTemplates', sortedTemplates(features, ctx), (item) => item.uriTemplate, cursor),
  );
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

const LIST = 'resources';
/** Characters of the mark of a resource in a cursor: 66 bits. */
const MARK = 11;

/**
 * One page of all resources, sorted by URI, except that the leading ones come first. The cursor marks them, so that later
 * pages leave them out. A resource that exists from the first page to the last is listed exactly once, even if others are
 * created or deleted, or the leading ones change meanwhile.
 *
 * @throws ProtocolError −32602 if the cursor is not from this list
 */
export function resourcePage(
  lists: readonly (readonly Listed[] | ResourceList)[],
  cursor: string | undefined,
): { items: readonly Listed[]; nextCursor?: string } {
  const sources = lists.map(
    (list): ResourceList =>
      'after' in list ? list : { after: (start) => list.filter(({ uri }) => uri > start) },
  );
  const leading = cursor === undefined ? sources.flatMap((list) => list.leading ?? []).slice(0, PAGE) : [];
  const [start = '', marks = ''] = cursor === undefined ? [] : decodeCursor(LIST, cursor, 2);
  const led = new Set([...marksIn(marks), ...leading.map(({ uri }) => markOf(uri))]);
  const items = [...leading];
  let last = start;
  for (const item of mergeSorted(
    sources.map((list) => list.after(start)),
    ({ uri }) => uri,
  )) {
    if (led.has(markOf(item.uri))) continue;
    if (items.length >= PAGE) return { items, nextCursor: encodeCursor(LIST, last, [...led].join('')) };
    items.push(item);
    last = item.uri;
  }
  return { items };
}

const markOf = (uri: string): string => createHash('sha256').update(uri).digest('base64url').slice(0, MARK);

/** At most a page of marks. */
const marksIn = (marks: string): string[] =>
  Array.from({ length: Math.min(PAGE, Math.floor(marks.length / MARK)) }, (_, index) =>
    marks.slice(index * MARK, (index + 1) * MARK),
  );

const named = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() });

const reference = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ref/prompt'), name: z.string() }),
  z.object({ type: z.literal('ref/resource'), uri: z.string() }),
]);

const toComplete = z.object({
  ref: reference,
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/** `prompts/list`, `prompts/get`, and `completion/complete`, which is also for the variables of resource templates. */
export function servePrompts(serve: Serve, { ctx, features }: ServedConnection): void {
  serve('prompts/list', cursorParams, async ({ cursor }, call) => {
    const lists = await Promise.all(features.prompts.map((provider) => provider.list(ctx, call)));
    const all = lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
    return wholePage('prompts', all, (item) => item.name, cursor);
  });
  serve('prompts/get', named, async ({ name, arguments: args = {} }, call) => {
    for (const provider of features.prompts) {
      const found = await provider.get(name, args, ctx, call);
      if (found) return { ...found };
    }
    throw invalidParams(`Unknown prompt "${name}". See prompts/list.`);
  });
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
