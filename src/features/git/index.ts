import type { Domain } from '../features.ts';
import { changes } from './changes.ts';

/** Source control. */
export const git: Domain = { resources: [changes] };
