import type { Context } from '../context.ts';
import type { Domain } from '../features.ts';
import { builtInPrompts } from './builtInPrompts.ts';
import { userPromptFiles, workspacePromptFiles } from './files/promptFiles.ts';
import { PromptList, promptProvider } from './promptList.ts';
import type { PromptSource } from './promptSource.ts';
import { extensionSnippets, userSnippets, workspaceSnippets } from './snippets/snippetSources.ts';

/** If titles are equal from the start, the first source gets the plain name. */
export const sources: readonly PromptSource[] = [
  ...[workspaceSnippets, workspacePromptFiles, userPromptFiles],
  ...[builtInPrompts, userSnippets, extensionSnippets],
];

export const prompts: Domain = { prompts: [promptProvider(sources)] };

/** The prompts of an agent without roots of its own, for the user to look at. */
export class PromptPreview extends PromptList {
  readonly #hosted: Context['hosted'];

  constructor(ctx: Context) {
    super(sources, ctx);
    this.#hosted = ctx.hosted;
  }

  dispose(): void {
    this.#hosted.dispose();
  }
}
