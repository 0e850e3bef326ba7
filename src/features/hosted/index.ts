import type { Domain } from '../features.ts';
import { editorTools } from './editorTools.ts';
import { hostedTools } from './findTools.ts';
import { goneTool, hostedTool } from './hostedTools.ts';
import { hostedPrompts, hostedResources } from './promptsAndResources.ts';

const unlisted = { all: () => [], watch: () => ({ dispose() {} }) };

/** What other MCP servers offer, which this window hosts. */
export const hosted: Domain = {
  toolSources: [{ ...unlisted, find: hostedTool }, hostedTools, editorTools, { ...unlisted, find: goneTool }],
  resources: [hostedResources],
  prompts: [hostedPrompts],
};
