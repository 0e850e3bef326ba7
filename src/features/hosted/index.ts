import type { Domain } from '../features.ts';
import { editorTools } from './editorTools.ts';
import { goneTool, hostedTools } from './hostedTools.ts';
import { hostedPrompts, hostedResources } from './promptsAndResources.ts';

/** What other MCP servers offer, which this window hosts. */
export const hosted: Domain = {
  toolSources: [
    hostedTools,
    editorTools,
    { list: () => ({ listed: [], hidden: [] }), find: goneTool, watch: () => ({ dispose() {} }) },
  ],
  resources: [hostedResources],
  prompts: [hostedPrompts],
};
