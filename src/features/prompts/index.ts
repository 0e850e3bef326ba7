import type { Context } from '../context.ts';
import type { Domain } from '../features.ts';
import { builtInPrompts } from './builtInPrompts.ts';
import { userPromptFiles, workspacePromptFiles } from './files/promptFiles.ts';
import { promptList, promptProvider } from './promptList.ts';
import type { PromptSource } from './promptSource.ts';
import { extensionSnippets, userSnippets, workspaceSnippets } from './snippets/snippetSources.ts';

/** Of equal titles that are there from the start, the one of the first source gets the plain name. */
export const sources: readonly PromptSource[] = [
  ...[workspaceSnippets, workspacePromptFiles, userPromptFiles],
  ...[builtInPrompts, userSnippets, extensionSnippets],
];

export const prompts: Domain = { prompts: [promptProvider(sources)] };

/** The prompts of an agent without roots of its own, for the user to look at. */
export const promptPreview = (ctx: Context) => ({
  ...promptList(sources, ctx),
  dispose: () => ctx.hosted.dispose(),
});

export type PromptPreview = ReturnType<typeof promptPreview>;
