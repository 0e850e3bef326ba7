import type { Domain } from '../features.ts';
import { builtInPrompts } from './builtIn/index.ts';
import { workspacePromptFiles } from './files/workspacePromptFiles.ts';
import { promptProvider } from './promptProvider.ts';
import type { PromptSource } from './promptSource.ts';
import { workspaceSnippets } from './workspaceSnippets.ts';

/** Of equal titles, the one of the first source gets the plain name. */
export const sources: readonly PromptSource[] = [workspaceSnippets, ...workspacePromptFiles, builtInPrompts];

/** Prompts, which the user runs by name. */
export const prompts: Domain = { prompts: [promptProvider(sources)] };
