import type { Context } from '../context.ts';
import type { PromptProvider } from '../prompt.ts';
import { PromptList } from './promptList.ts';
import type { PromptSource } from './promptSource.ts';

/** The prompts of some sources; each agent has a list of its own, because access rules and client roots differ. */
export function promptProvider(sources: readonly PromptSource[]): PromptProvider {
  const lists = new WeakMap<Context, PromptList>();
  const listOf = (ctx: Context): PromptList => {
    const list = lists.get(ctx) ?? new PromptList(sources, ctx);
    lists.set(ctx, list);
    return list;
  };
  return {
    list: (ctx) => listOf(ctx).list(),
    get: (name, args, ctx, call) => listOf(ctx).get(name, args, call),
    complete: (name, argument, ctx, call) => listOf(ctx).complete(name, argument, call),
    watch: (ctx, onList) => listOf(ctx).watch(onList),
  };
}
