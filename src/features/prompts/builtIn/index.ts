import type { PromptSource } from '../promptSource.ts';
import { explainSelection, fixProblems } from './activeFile.ts';
import { reviewChanges } from './reviewChanges.ts';
import { writeTests } from './writeTests.ts';

/** Our own prompts, which attach what VS Code knows. */
export const builtInPrompts: PromptSource = {
  kind: 'builtIn',
  load: async (ctx) => [explainSelection, fixProblems, reviewChanges, writeTests].map((make) => make(ctx)),
};
