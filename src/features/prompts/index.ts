import type { Domain } from '../features.ts';
import { builtInPrompts } from './builtIn/index.ts';
import { workspacePromptFiles } from './files/workspacePromptFiles.ts';
import { promptProvider } from './promptProvider.ts';
import { workspaceSnippets } from './workspaceSnippets.ts';

/** Prompts, which the user runs by name. Of equal titles, the one of the first source gets the plain name. */
export const prompts: Domain = {
  prompts: [promptProvider([workspaceSnippets, ...workspacePromptFiles, builtInPrompts])],
};
