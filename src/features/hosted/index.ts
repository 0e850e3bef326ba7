import type { Domain } from '../features.ts';
import { editorTools } from './editorTools.ts';
import { hostedTools } from './findTools.ts';
import { hostedPrompts } from './hostedPrompts.ts';
import { hostedResources } from './hostedResources.ts';
import { goneTool } from './hostedTools.ts';

/** What other MCP servers offer, which this window hosts. */
export const hosted: Domain = {
  toolSources: [hostedTools, editorTools, { all: () => [], find: goneTool, watch: () => ({ dispose() {} }) }],
  resources: [hostedResources],
  prompts: [hostedPrompts],
};
