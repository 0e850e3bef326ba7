import type { Domain } from '../features.ts';
import { hostedPrompts } from './hostedPrompts.ts';
import { hostedResources } from './hostedResources.ts';
import { hostedTool, hostedTools } from './hostedTools.ts';

/** What other MCP servers offer, which this window hosts. */
export const hosted: Domain = {
  toolSources: [
    {
      all: hostedTools,
      find: hostedTool,
      watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList),
    },
  ],
  resources: [hostedResources],
  prompts: [hostedPrompts],
};
