import * as z from 'zod';
import { wholePage } from '../core/page.ts';
import { cursorParams, type Serve, type ServedConnection } from './connection.ts';
import { invalidParams } from './errors.ts';

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
