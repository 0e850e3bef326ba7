import * as z from 'zod';
import { invalidParams } from '../errors.ts';
import type { Serve, ServerState } from '../state.ts';

const reference = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ref/prompt'), name: z.string() }),
  z.object({ type: z.literal('ref/resource'), uri: z.string() }),
]);

const toComplete = z.object({
  ref: reference,
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/** `completion/complete`, for the arguments of prompts and the variables of resource templates. */
export function serveCompletions(serve: Serve, { ctx, features }: ServerState): void {
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
