import type { Domain } from '../features.ts';
import { editorTools } from './editorTools.ts';
import { hostedToolSource } from './hostedToolSource.ts';
import { hostedPrompts, hostedResources } from './promptsAndResources.ts';

/** What other MCP servers offer, which this window hosts. */
export const hosted: Domain = {
  toolSources: [hostedToolSource, editorTools],
  resources: [hostedResources],
  prompts: [hostedPrompts],
};
