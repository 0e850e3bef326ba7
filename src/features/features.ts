import type { PromptProvider } from './prompt.ts';
import type { ResourceProvider } from './resource.ts';
import type { Tool } from './tool.ts';

/** All that a server offers: the product's own is in index.ts, the conformance tests bring another. */
export interface Features {
  tools: readonly Tool[];
  resources: readonly ResourceProvider[];
  prompts: readonly PromptProvider[];
}

/** What one domain adds: each folder's index.ts. */
export type Domain = Partial<Features>;
