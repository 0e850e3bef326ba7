import type { Domain } from '../features.ts';
import { editorTools } from './editorTools.ts';
import { forwarded, searchTool, searchTools } from './findTools.ts';
import { hostedPrompts } from './hostedPrompts.ts';
import { hostedResources } from './hostedResources.ts';
import { goneTool, hostedTool } from './hostedTools.ts';
import { listing } from './listing.ts';
import { redactedItems } from './redacted.ts';

/** What other MCP servers offer, which this window hosts. */
export const hosted: Domain = {
  toolSources: [
    {
      all(ctx) {
        const { listed, hidden } = listing(ctx);
        const shown = listed.flatMap((tool) =>
          redactedItems([tool.listed ?? {}], 'name', ctx).map((text) => ({ ...tool, listed: text })),
        );
        return hidden.length > 0 ? [...shown, ...searchTools(hidden)] : shown;
      },
      find: (name, ctx) => hostedTool(name, ctx) ?? searchTool(name, ctx),
      forwarded,
      watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList),
    },
    editorTools,
    { all: () => [], find: goneTool, watch: () => ({ dispose() {} }) },
  ],
  resources: [hostedResources],
  prompts: [hostedPrompts],
};
