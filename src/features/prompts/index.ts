import type { Domain } from '../features.ts';
import { snippets } from './snippets.ts';

/** What the user inserts or runs by name. */
export const prompts: Domain = { prompts: [snippets] };
