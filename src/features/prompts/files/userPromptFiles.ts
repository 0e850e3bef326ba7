import { posix } from 'node:path';
import type { PromptEntry, PromptSource } from '../promptSource.ts';
import { watchProfile } from '../watchPromptFiles.ts';
import { PROMPT_ENDING } from './configuredFolders.ts';
import { promptIn } from './promptIn.ts';

/** The user's own prompt files, of the profile of the window. */
export const userPromptFiles: PromptSource = {
  kind: 'userPromptFiles',
  async load(ctx) {
    const files = await ctx.editorFiles.ofProfile('prompts', /\.prompt\.md$/);
    const read = async (uri: (typeof files)[number]): Promise<PromptEntry[]> => {
      const text = await ctx.editorFiles.text(uri);
      if (text === undefined) return [];
      const title = posix.basename(uri.path, PROMPT_ENDING);
      // Its links are to files of whatever workspace is open.
      const found = { uri, title, dialect: 'vscode', base: undefined } as const;
      return promptIn({ ...found, text: ctx.files.redactor.text(text) }, ctx);
    };
    return (await Promise.all(files.map(read))).flat();
  },
  watch: (ctx, onChange) => watchProfile(ctx, 'prompts', onChange),
};
