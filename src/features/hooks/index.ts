import type { Domain } from '../features.ts';
import { hookToolSource } from './agentHook.ts';

/** What agents tell of their own tools, whichever those are. */
export const hooks: Domain = { toolSources: [hookToolSource] };
