import { posix } from 'node:path';
import type { PromptEntry, PromptSource } from '../promptSource.ts';
import { watchProfile } from '../watchPromptFiles.ts';
import { snippetsIn } from './snippetFile.ts';

/** The user's own snippets: `*.code-snippets`, and for each language a file such as `typescript.json`. */
export const userSnippets: PromptSource = {
  kind: 'userSnippets',
  async load(ctx) {
    const files = await ctx.editorFiles.ofProfile('snippets', /\.(code-snippets|json)$/);
    const read = async (uri: (typeof files)[number]): Promise<PromptEntry[]> => {
      const text = await ctx.editorFiles.text(uri);
      const [, language] = /^(.*)\.json$/.exec(posix.basename(uri.path)) ?? [];
      return text === undefined
        ? []
        : snippetsIn({ uri, text, ...(language && { languages: [language] }) }, ctx);
    };
    return (await Promise.all(files.map(read))).flat();
  },
  watch: (ctx, onChange) => watchProfile(ctx, 'snippets', onChange),
};
