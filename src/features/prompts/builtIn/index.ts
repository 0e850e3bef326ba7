import type { PromptSource } from '../promptSource.ts';
import { explainSelection } from './explainSelection.ts';
import { fixProblems } from './fixProblems.ts';
import { reviewChanges } from './reviewChanges.ts';
import { writeTests } from './writeTests.ts';

/** Our own prompts, which attach what VS Code knows. */
export const builtInPrompts: PromptSource = {
  kind: 'builtIn',
  load: async (ctx) => [explainSelection, fixProblems, reviewChanges, writeTests].map((make) => make(ctx)),
};
