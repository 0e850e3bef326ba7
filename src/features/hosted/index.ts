import type { Domain } from '../features.ts';
import { editorTools } from './editorTools.ts';
import { hostedToolSource } from './hostedToolSource.ts';
import { hostedPrompts, hostedResources } from './promptsAndResources.ts';

/** What other MCP servers offer, which this window hosts. */
export const hosted: Domain = {
  // The other one knows every name of this form: as that of a server that has gone.
  toolSources: [editorTools, hostedToolSource],
  resources: [hostedResources],
  prompts: [hostedPrompts],
};
