import { profileFolder, readText, watchProfileFolder } from '../profileFolder.ts';
import type { PromptEntry, PromptSource } from '../promptSource.ts';
import { PROMPT_ENDING } from './configuredFolders.ts';
import { promptIn } from './promptIn.ts';

/** The user's own prompt files, of the profile of the window. */
export const userPromptFiles: PromptSource = {
  kind: 'userPromptFiles',
  async load(ctx) {
    const { Uri, workspace } = ctx.vscode;
    const folder = await profileFolder(ctx, 'prompts');
    if (!folder) return [];
    const entries = await Promise.resolve(workspace.fs.readDirectory(folder)).catch(() => []);
    const names = entries.map(([name]) => name).filter((name) => name.endsWith(PROMPT_ENDING));
    const read = async (name: string): Promise<PromptEntry[]> => {
      const uri = Uri.joinPath(folder, name);
      const text = await readText(uri, workspace.fs);
      if (text === undefined) return [];
      const title = name.slice(0, -PROMPT_ENDING.length);
      // Its links are to files of whatever workspace is open.
      const found = { uri, title, dialect: 'vscode', base: undefined } as const;
      return promptIn({ ...found, text: ctx.files.redactor.text(text) }, ctx);
    };
    return (await Promise.all(names.sort().map(read))).flat();
  },
  watch: (ctx, onChange) => watchProfileFolder(ctx, 'prompts', onChange),
};
