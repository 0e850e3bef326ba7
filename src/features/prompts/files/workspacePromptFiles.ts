import type * as vscode from 'vscode';
import type { Dialect } from '../../../core/promptFiles/template.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { Context } from '../../context.ts';
import type { PromptEntry, PromptKind, PromptSource } from '../promptSource.ts';
import { watchPromptFiles } from '../watchPromptFiles.ts';
import { configuredFolders, PROMPT_ENDING } from './configuredFolders.ts';
import { promptIn } from './promptIn.ts';

/** Where a program looks for prompts in a workspace folder. */
interface Place {
  kind: PromptKind;
  folders(ctx: Context, folder: vscode.WorkspaceFolder): readonly string[];
  ending: string;
  dialect: Dialect;
  /** Subfolders are part of the names. */
  isDeep: boolean;
}

const PLACES: readonly Place[] = [
  {
    kind: 'promptFiles',
    folders: configuredFolders,
    ending: PROMPT_ENDING,
    dialect: 'vscode',
    isDeep: false,
  },
  {
    kind: 'claudeCommands',
    folders: () => ['.claude/commands'],
    ending: '.md',
    dialect: 'command',
    isDeep: true,
  },
  {
    kind: 'otherCommands',
    folders: () => ['.codex/prompts'],
    ending: '.md',
    dialect: 'command',
    isDeep: true,
  },
  {
    kind: 'otherCommands',
    folders: () => ['.gemini/commands'],
    ending: '.toml',
    dialect: 'gemini',
    isDeep: true,
  },
];

/** The prompt files in the workspace folders, VS Code's own first. */
export const workspacePromptFiles: readonly PromptSource[] = PLACES.map((place) => ({
  kind: place.kind,
  load: async (ctx) => {
    const found = await Promise.all(ctx.files.folders().map((folder) => promptsOf(folder, place, ctx)));
    return found.flat();
  },
  watch: (ctx, onChange) => watch(place, ctx, onChange),
}));

async function promptsOf(folder: vscode.WorkspaceFolder, place: Place, ctx: Context): Promise<PromptEntry[]> {
  const { folders, ending, isDeep } = place;
  const inEach = folders(ctx, folder).map(async (path) => {
    const locations = await ctx.files.inFolder(folder, path, ending, { isDeep });
    return Promise.all(locations.map((location) => promptAt(location, path, folder, place, ctx)));
  });
  return (await Promise.all(inEach)).flat(2);
}

async function promptAt(
  location: Location,
  path: string,
  folder: vscode.WorkspaceFolder,
  { ending, dialect }: Place,
  ctx: Context,
): Promise<PromptEntry[]> {
  const content = await ctx.files.read(location).catch(() => undefined); // closed, too large or gone
  if (content?.kind !== 'text') return [];
  const { Uri } = ctx.vscode;
  const start = Uri.joinPath(folder.uri, path).path.replace(/\/*$/, '/').length;
  const title = location.uri.path.slice(start, -ending.length).replaceAll('/', ':');
  // VS Code names files from the prompt's folder, the other programs from where they work.
  const base = dialect === 'vscode' ? Uri.joinPath(location.uri, '..') : folder.uri;
  return promptIn({ uri: location.uri, title, text: content.text, dialect, base }, ctx);
}

function watch(place: Place, ctx: Context, onChange: () => void): vscode.Disposable {
  const isOne = (uri: vscode.Uri) => {
    if (!uri.path.endsWith(place.ending)) return false;
    const folder = ctx.vscode.workspace.getWorkspaceFolder(uri);
    return (
      folder !== undefined &&
      place.folders(ctx, folder).some((path) => {
        const within = `${ctx.vscode.Uri.joinPath(folder.uri, path).path}/`;
        return uri.path.startsWith(within) && (place.isDeep || !uri.path.slice(within.length).includes('/'));
      })
    );
  };
  const files = watchPromptFiles(ctx, isOne, onChange);
  const settings = ctx.vscode.workspace.onDidChangeConfiguration((event) => {
    if (place.kind === 'promptFiles' && event.affectsConfiguration('chat.promptFilesLocations')) onChange();
  });
  return ctx.vscode.Disposable.from(files, settings);
}
