import type { PromptArgument, PromptMessage } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { ProfilePart } from '../../workspace/editorFiles.ts';
import type { Argument, Call, Context } from '../context.ts';

/** The sources that the setting `workspaceMcp.prompts.sources` switches; package.json describes each. */
export type PromptKind =
  | 'workspaceSnippets'
  | 'userSnippets'
  | 'extensionSnippets'
  | 'promptFiles'
  | 'userPromptFiles'
  | 'builtIn';

/** What a prompt needs of the call for it. */
export type PromptCall = Pick<Call, 'signal' | 'progress'>;

/** Where prompts come from: some files, or the extension itself. It keeps nothing: the prompt list does. */
export interface PromptSource {
  kind: PromptKind;
  /**
   * All its prompts that this agent may have, in a stable order: of equal titles that are new, the first gets the plain name. A problem in
   * one file is reported, and does not hide the other prompts.
   */
  load(ctx: Context): Promise<readonly PromptEntry[]>;
  /** Fires when `load` may return others, for reasons other than settings, access rules and workspace folders. */
  watch?(ctx: Context, onChange: () => void): vscode.Disposable;
}

/**
 * A prompt of a source. The prompt list redacts title, descriptions and results for the agent, and checks the arguments; the
 * source redacts whatever becomes a name.
 */
export interface PromptEntry {
  /** As the user wrote it; its name is made from it, unless it has one. */
  title: string;
  /** What the agent's name for it is made from, if not the title. */
  name?: string;
  /** The file that it is in, for its preview. */
  file?: vscode.Uri;
  description?: string;
  arguments: readonly PromptArgument[];
  /** Values for one of its arguments; the prompt list leaves those that begin as typed, at their start or after a slash. */
  complete?(argument: Argument, ctx: Context, call: PromptCall): Promise<readonly string[]>;
  /** @param args only known ones, and all that are required */
  get(args: Readonly<Record<string, string>>, ctx: Context, call: PromptCall): Promise<PromptMessage[]>;
}

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
