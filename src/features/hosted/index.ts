import type { Domain } from '../features.ts';
import { editorTools } from './editorTools.ts';
import { hostedTools } from './hostedList.ts';
import { hostedPrompts } from './hostedPrompts.ts';
import { hostedResources } from './hostedResources.ts';
import { goneTool } from './hostedTools.ts';

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
