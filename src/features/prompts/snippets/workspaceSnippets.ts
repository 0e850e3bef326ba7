import type { Context } from '../../context.ts';
import type { PromptEntry, PromptSource } from '../promptSource.ts';
import { watchPromptFiles } from '../watchPromptFiles.ts';
import { snippetsIn } from './snippetFile.ts';

/** The snippets in `.vscode/*.code-snippets` of all folders. */
export const workspaceSnippets: PromptSource = {
  kind: 'workspaceSnippets',
  async load(ctx) {
    const { files } = ctx;
    const all = files.folders().map((folder) => files.inFolder(folder, '.vscode', '.code-snippets'));
    const locations = (await Promise.all(all)).flat();
    const read = async (location: (typeof locations)[number]): Promise<PromptEntry[]> => {
      const content = await files.read(location).catch(() => undefined); // closed, too large or gone
      return content?.kind === 'text' ? snippetsIn({ uri: location.uri, text: content.text }, ctx) : [];
    };
    return (await Promise.all(locations.map(read))).flat();
  },
  watch: (ctx: Context, onChange) =>
    watchPromptFiles(ctx, ({ path }) => /\/\.vscode\/[^/]+\.code-snippets$/.test(path), onChange),
};
