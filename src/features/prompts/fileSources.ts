import type * as vscode from 'vscode';
import type { ProfilePart } from '../../workspace/editorFiles.ts';
import type { Context } from '../context.ts';
import type { PromptEntry, PromptKind, PromptSource } from './promptSource.ts';

/** The prompts in the text of a file. */
type PromptsIn = (uri: vscode.Uri, text: string, ctx: Context) => PromptEntry[] | Promise<PromptEntry[]>;

/** Prompts in files of the workspace folders, by the end of their names. @param pathsIn the folders in a workspace folder that have some */
export const workspaceSource = (
  kind: PromptKind,
  ending: string,
  pathsIn: (folder: vscode.WorkspaceFolder, ctx: Context) => readonly string[],
  promptsIn: PromptsIn,
): PromptSource => ({
  kind,
  async load(ctx) {
    const { files } = ctx;
    const all = files
      .folders()
      .flatMap((one) => pathsIn(one, ctx).map((path) => files.inFolder(one, path, ending)));
    const read = (await Promise.all(all)).flat().map(async (location) => {
      const content = await files.read(location).catch(() => undefined); // closed, too large or gone
      return content?.kind === 'text' ? promptsIn(location.uri, content.text, ctx) : [];
    });
    return (await Promise.all(read)).flat();
  },
  watch(ctx, onChange) {
    const { Uri } = ctx.vscode;
    return ctx.files.watchContent((uri) => {
      const folder = Uri.joinPath(uri, '..').path;
      const isIn = (one: vscode.WorkspaceFolder) =>
        pathsIn(one, ctx).some((path) => Uri.joinPath(one.uri, path).path === folder);
      if (uri.path.endsWith(ending) && ctx.files.folders().some(isIn)) reload(uri, ctx, onChange);
    });
  },
});

/** Prompts in the user's own files, of the profile of the window, by the ends of their names. */
export const profileSource = (
  kind: PromptKind,
  part: ProfilePart,
  endings: RegExp,
  promptsIn: PromptsIn,
): PromptSource => ({
  kind,
  load: async (ctx) => promptsInFiles(await ctx.editorFiles.ofProfile(part, endings), promptsIn, ctx),
  watch: (ctx, onChange) => ctx.editorFiles.watchProfile(part, (uri) => reload(uri, ctx, onChange)),
});

/** The prompts in files that are not of the workspace. */
export async function promptsInFiles(uris: readonly vscode.Uri[], promptsIn: PromptsIn, ctx: Context) {
  const read = uris.map(async (uri) => {
    const text = await ctx.editorFiles.text(uri);
    return text === undefined ? [] : promptsIn(uri, text, ctx);
  });
  return (await Promise.all(read)).flat();
}

/** The problems of a changed file go: loading it again reports those that are left. */
function reload(uri: vscode.Uri, { promptProblems }: Context, onChange: () => void): void {
  promptProblems.clear(uri);
  onChange();
}
