import type { Resource } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { mergeSorted } from '../../core/page.ts';
import { debounce } from '../../util/events.ts';
import { isOurs, uriOf } from '../../util/tabs.ts';
import type { ListedFile } from '../../workspace/list/listedFile.ts';
import type { Context } from '../context.ts';
import type { Listed, ResourceList } from '../resource.ts';

const AUDIENCE: ('assistant' | 'user')[] = ['assistant', 'user'];

/** Priority of a file (MCP, `annotations.priority`): active, in a tab, modified since the agent connected, any other. */
const RANKS = { front: 1, open: 0.9, changed: 0.7, other: 0.5 };

/** The workspace folders, their files, and untitled texts; open ones first. */
export async function listFiles(ctx: Context, signal: AbortSignal): Promise<ResourceList> {
  const all = await ctx.files.list(signal);
  const folders = ctx.files
    .folders()
    .filter(({ uri }) => ctx.files.mayKnow(uri))
    .map((folder) => ({ uri: folder.uri.toString(), describe: async () => describeFolder(folder) }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
  const open = openFiles(ctx.vscode.window.tabGroups);
  const unsaved = unsavedTexts(ctx)
    .map(({ uri }) => ({ uri: uri.toString(), describe: async () => describeUnsaved(uri, open) }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
  const listed = (file: ListedFile): Listed => ({
    uri: file.key,
    describe: () => describeFile(file, open, ctx),
  });
  return {
    leading: [...open.all].flatMap((key) => {
      const file = all.get(key);
      return file ? listed(file) : unsaved.filter(({ uri }) => uri === key);
    }),
    after: (start) => {
      const isAfter = ({ uri }: Listed) => uri > start;
      const files = all.after(start).map(listed);
      return mergeSorted<Listed>([folders.filter(isAfter), unsaved.filter(isAfter), files], ({ uri }) => uri);
    },
  };
}

interface OpenFiles {
  /** The active tab, if it shows a file. */
  front: string | undefined;
  /** URIs of all tabs: the active one, other visible ones, the rest. */
  all: ReadonlySet<string>;
}

function openFiles({ activeTabGroup, all }: vscode.TabGroups): OpenFiles {
  const groups = [activeTabGroup, ...all];
  const inSight = groups.flatMap(({ activeTab }) => activeTab ?? []).filter((tab) => !isOurs(tab));
  const tabs = [...inSight, ...groups.flatMap((group) => group.tabs).filter((tab) => !isOurs(tab))];
  const keyOf = (tab: vscode.Tab | undefined) => tab && uriOf(tab)?.toString();
  return { front: keyOf(inSight[0]), all: new Set(tabs.flatMap((tab) => keyOf(tab) ?? [])) };
}

/** Untitled texts, which are not saved to a file yet. */
const unsavedTexts = ({ vscode, files }: Context): vscode.TextDocument[] =>
  vscode.workspace.textDocuments.filter(
    ({ isUntitled, isClosed, uri }) => isUntitled && !isClosed && files.mayKnow(uri),
  );

/** Agents are notified after so many quiet milliseconds. */
const QUIET = 200;

/** Calls the listener after untitled texts were opened or closed. */
export function watchUnsaved({ vscode, files }: Context, onList: () => void): vscode.Disposable {
  const { workspace, Disposable } = vscode;
  const soon = debounce(onList, QUIET);
  const changed = ({ isUntitled, uri }: vscode.TextDocument) => {
    if (isUntitled && files.mayKnow(uri)) soon();
  };
  return Disposable.from(
    soon,
    workspace.onDidOpenTextDocument(changed),
    workspace.onDidCloseTextDocument(changed),
  );
}

function rankOf(key: string, isChanged: boolean, { front, all }: OpenFiles): number {
  if (all.has(key)) return key === front ? RANKS.front : RANKS.open;
  return isChanged ? RANKS.changed : RANKS.other;
}

const describeFolder = ({ uri, name }: vscode.WorkspaceFolder): Resource => ({
  uri: uri.toString(),
  name,
  title: name,
  description: 'Workspace folder',
  mimeType: FOLDER_TYPE,
  annotations: { audience: AUDIENCE, priority: 1 },
});

const describeUnsaved = (uri: vscode.Uri, { front }: OpenFiles): Resource => ({
  uri: uri.toString(),
  name: uri.path,
  description: 'Not saved to a file yet',
  mimeType: 'text/plain',
  annotations: { audience: AUDIENCE, priority: uri.toString() === front ? RANKS.front : RANKS.open },
});

/** Undefined if it was deleted after it was listed. */
async function describeFile(file: ListedFile, open: OpenFiles, { files }: Context) {
  const known = mimeTypeOf(file.path);
  const found = await files.look(file, known === undefined);
  if (!found) return undefined;
  const { size, modifiedAt, looksLikeText } = found;
  const isChanged = modifiedAt !== undefined && modifiedAt >= files.connectedAt;
  return {
    uri: file.key,
    name: file.path,
    mimeType: known ?? (looksLikeText ? 'text/plain' : 'application/octet-stream'),
    ...(size !== undefined && { size }),
    annotations: {
      audience: AUDIENCE,
      priority: rankOf(file.key, isChanged, open),
      ...(modifiedAt && { lastModified: modifiedAt.toISOString() }),
    },
  };
}

/**
 * Media types of what a workspace may have, by extension or name: those that the registry has, and languages by the names that editors
 * and repository hosts use, as the registry has none for most of them (`.ts` is MPEG video there).
 */
const SOURCES: Record<string, string> = {
  'application/graphql': 'graphql',
  'application/gzip': 'gz tgz',
  'application/json': 'code-snippets code-workspace json jsonc map webmanifest',
  'application/jsonl': 'jsonl',
  'application/pdf': 'pdf',
  'application/vnd.sqlite3': 'db sqlite',
  'application/wasm': 'wasm',
  'application/x-7z-compressed': '7z',
  'application/x-bzip2': 'bz2',
  'application/x-ipynb+json': 'ipynb',
  'application/x-tar': 'tar',
  'application/yaml': 'yaml yml',
  'application/zip': 'zip',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'oga ogg opus',
  'audio/wav': 'wav',
  'font/otf': 'otf',
  'font/ttf': 'ttf',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpeg jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif tiff',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'htm html',
  'text/javascript': 'cjs js mjs',
  'text/jsx': 'jsx',
  'text/markdown': 'markdown md',
  'text/mdx': 'mdx',
  'text/plain': 'conf lock log text txt',
  'text/rtf': 'rtf',
  'text/tab-separated-values': 'tsv',
  'text/tsx': 'tsx',
  'text/typescript': 'cts mts ts',
  'text/x-c': 'h',
  'text/x-c++': 'cc cpp cxx hpp',
  'text/x-clojure': 'clj',
  'text/x-cmake': 'cmakelists.txt',
  'text/x-csharp': 'cs',
  'text/x-diff': 'patch',
  'text/x-elixir': 'ex exs',
  'text/x-erlang': 'erl',
  'text/x-fsharp': 'fs',
  'text/x-groovy': 'gradle',
  'text/x-haskell': 'hs',
  'text/x-julia': 'jl',
  'text/x-kotlin': 'kt kts',
  'text/x-makefile': 'mk',
  'text/x-objective-c': 'm',
  'text/x-ocaml': 'ml',
  'text/x-perl': 'pl',
  'text/x-powershell': 'ps1',
  'text/x-protobuf': 'proto',
  'text/x-python': 'py pyi',
  'text/x-ruby': 'gemfile rakefile rb',
  'text/x-rust': 'rs',
  'text/x-shellscript': 'bash sh zsh',
  'text/x-terraform': 'tf',
  'text/xml': 'xml xsd xsl',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
};

/** Languages whose file extension is their name. */
const LANGUAGES =
  'astro bat c cmake dart diff dockerfile elm go groovy ini java less lua makefile nix php properties r sass scala scss sql svelte swift tex vue zig';

/** Extensions that are also whole file names. */
const NAMES = new Set(['dockerfile', 'gemfile', 'makefile', 'rakefile']);

const TYPES = new Map([
  ...LANGUAGES.split(' ').map((language) => [language, `text/x-${language}`] as const),
  ...Object.entries(SOURCES).flatMap(([type, endings]) =>
    endings.split(' ').map((ending) => [ending, type] as const),
  ),
]);

export const FOLDER_TYPE = 'inode/directory';

/** Media type by file name; undefined if the name does not tell. @param path with `/` between the names */
export function mimeTypeOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return NAMES.has(name) ? TYPES.get(name) : undefined;
  const ending = name.slice(dot + 1);
  return TYPES.get(name) ?? TYPES.get(ending);
}
