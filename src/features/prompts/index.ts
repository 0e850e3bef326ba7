import type { Domain } from '../features.ts';
import { snippets } from './snippets.ts';

/** Prompts, which the user runs by name. */
export const prompts: Domain = { prompts: [snippets] };
