import type { PromptProvider } from './prompt.ts';
import type { ResourceProvider } from './resource.ts';
import type { Tool, ToolSource } from './tool.ts';

/** Everything that a server offers. The product's is in index.ts; the conformance tests have their own. */
export interface Features {
  tools: readonly Tool[];
  /** Tools that come and go. */
  toolSources?: readonly ToolSource[];
  resources: readonly ResourceProvider[];
  prompts: readonly PromptProvider[];
}

/** The features of one domain, from its folder's index.ts. */
export type Domain = Partial<Features>;
