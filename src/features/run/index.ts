import type { Domain } from '../features.ts';
import { tasks } from './tasks.ts';
import { terminals } from './terminals.ts';

/** Tasks and terminals. */
export const run: Domain = { resources: [tasks, terminals] };
