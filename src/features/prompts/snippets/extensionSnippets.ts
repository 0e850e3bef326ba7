import type * as vscode from 'vscode';
import { fieldsOf, itemsOf } from '../../../core/json.ts';
import type { PromptEntry, PromptSource } from '../promptSource.ts';
import { snippetsIn } from './snippetFile.ts';

/** The snippets that extensions contribute. */
export const extensionSnippets: PromptSource = {
  kind: 'extensionSnippets',
  async load(ctx) {
    const { extensions, Uri } = ctx.vscode;
    const files = extensions.all.flatMap((extension) => [...filesOf(extension, ctx.vscode)]);
    const read = async ([spelled, languages]: (typeof files)[number]): Promise<PromptEntry[]> => {
      const uri = Uri.parse(spelled);
      const text = await ctx.editorFiles.text(uri);
      if (text === undefined) return [];
      const some = languages.length > 0 ? { languages } : {};
      return snippetsIn({ uri, text, isForeign: true, ...some }, ctx);
    };
    return (await Promise.all(files.map(read))).flat();
  },
  watch: (ctx, onChange) => ctx.vscode.extensions.onDidChange(onChange),
};

/** The languages of each file of snippets inside the extension, by its URI: several languages may share a file. */
function filesOf(
  { extensionUri, packageJSON }: Pick<vscode.Extension<unknown>, 'extensionUri' | 'packageJSON'>,
  { Uri }: typeof vscode,
): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const one of itemsOf(fieldsOf(fieldsOf(packageJSON).contributes).snippets)) {
    const { path, language } = fieldsOf(one);
    const uri = Uri.joinPath(extensionUri, `${path}`);
    if (!uri.path.startsWith(`${extensionUri.path}/`)) continue;
    const languages = files.get(`${uri}`) ?? [];
    files.set(`${uri}`, [...languages, ...(typeof language === 'string' ? [language] : [])]);
  }
  return files;
}
