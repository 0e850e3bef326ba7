import type { Context } from '../../context.ts';
import { profileFolder, readText, watchProfileFolder } from '../profileFolder.ts';
import type { PromptEntry, PromptSource } from '../promptSource.ts';
import { snippetsIn } from './snippetFile.ts';

/** The user's own snippets: `*.code-snippets`, and for each language a file such as `typescript.json`. */
export const userSnippets: PromptSource = {
  kind: 'userSnippets',
  async load(ctx) {
    const { Uri, workspace } = ctx.vscode;
    const folder = await profileFolder(ctx, 'snippets');
    if (!folder) return [];
    const entries = await Promise.resolve(workspace.fs.readDirectory(folder)).catch(() => []);
    const names = entries.map(([name]) => name).filter((name) => /\.(code-snippets|json)$/.test(name));
    const read = async (name: string): Promise<PromptEntry[]> => {
      const uri = Uri.joinPath(folder, name);
      const text = await readText(uri, workspace.fs);
      const [, language] = /^(.*)\.json$/.exec(name) ?? [];
      return text === undefined
        ? []
        : snippetsIn({ uri, text, ...(language && { languages: [language] }) }, ctx);
    };
    return (await Promise.all(names.sort().map(read))).flat();
  },
  watch: (ctx: Context, onChange) => watchProfileFolder(ctx, 'snippets', onChange),
};
