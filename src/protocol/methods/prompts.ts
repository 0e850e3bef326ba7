import * as z from 'zod';
import { page, wholePage } from '../../core/page.ts';
import { invalidParams } from '../errors.ts';
import type { Serve, ServerState } from '../state.ts';
import { cursorParams } from './cursorParams.ts';

const named = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() });

/** `prompts/list` and `prompts/get`. */
export function servePrompts(serve: Serve, { ctx, features }: ServerState): void {
  serve('prompts/list', cursorParams, async ({ cursor }, call) => {
    const lists = await Promise.all(features.prompts.map((provider) => provider.list(ctx, call)));
    const all = lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
    const { items, nextCursor } = page('prompts', all, (item) => item.name, cursor, wholePage);
    return { prompts: items, ...(nextCursor && { nextCursor }) };
  });
  serve('prompts/get', named, async ({ name, arguments: args = {} }, call) => {
    for (const provider of features.prompts) {
      const found = await provider.get(name, args, ctx, call);
      if (found) return { ...found };
    }
    throw invalidParams(`Unknown prompt "${name}". See prompts/list.`);
  });
}
