import type { Domain } from '../features.ts';
import { builtInPrompts } from './builtIn/index.ts';
import { userPromptFiles } from './files/userPromptFiles.ts';
import { workspacePromptFiles } from './files/workspacePromptFiles.ts';
import { promptProvider } from './promptProvider.ts';
import type { PromptSource } from './promptSource.ts';
import { extensionSnippets } from './snippets/extensionSnippets.ts';
import { userSnippets } from './snippets/userSnippets.ts';
import { workspaceSnippets } from './snippets/workspaceSnippets.ts';

/** Of equal titles that are there from the start, the one of the first source gets the plain name. */
export const sources: readonly PromptSource[] = [
  workspaceSnippets,
  ...workspacePromptFiles,
  userPromptFiles,
  builtInPrompts,
  userSnippets,
  extensionSnippets,
];

/** Prompts, which the user runs by name. */
export const prompts: Domain = { prompts: [promptProvider(sources)] };
