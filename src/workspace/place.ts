import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import type { World } from '../access/policyInputs.ts';
import { isWithin, respelled } from '../core/paths.ts';
import { visible } from '../core/text/escapeInvisible.ts';
import { realPathOf } from '../util/diskPaths.ts';

/** What an agent says of where it works. */
export interface Standing {
  /** Its working directory, if it is known. */
  readonly directory?: string | undefined;
  /** Real paths of the roots that its client declared; undefined if it declared none. */
  readonly paths: readonly string[] | undefined;
}

/** Where an agent works, if that is neither a workspace folder nor above one. */
export interface Place {
  /**
   * `inside` a workspace folder; in a `checkout` inside it, a linked worktree of Git with the same files; in a repository `beside`
   * all of them.
   */
  kind: 'inside' | 'checkout' | 'beside';
  /** Absolute, spelled as VS Code spells the folder. Of a checkout, its top. */
  path: string;
}

const { platform } = process;

/** Where an agent works, as against the folders of the window: its relative paths mean its own files, or nothing is read by them. */
export class AgentPlace {
  readonly #world: Pick<World, 'folders'>;
  readonly #standing: Standing;
  #known: { of: readonly unknown[]; place: Place | undefined } | undefined;
  #isTold = false;

  constructor(world: Pick<World, 'folders'>, standing: Standing) {
    this.#world = world;
    this.#standing = standing;
  }

  get now(): Place | undefined {
    const folders = this.#world.folders();
    const directory = this.#directory();
    const of = [folders, directory];
    if (!this.#known?.of.every((one, index) => one === of[index]))
      this.#known = { of, place: directory === undefined ? undefined : placeOf(directory, folders) };
    return this.#known.place;
  }

  /** The top of the agent's own checkout, if that is inside a folder. */
  get checkout(): string | undefined {
    const place = this.now;
    return place?.kind === 'checkout' ? place.path : undefined;
  }

  /** What the agent has to know of it, the first time that is asked for. */
  note(): string | undefined {
    const place = this.now;
    if (this.#isTold || !place) return undefined;
    this.#isTold = true;
    return noteOn(place, this.#world.folders());
  }

  /** A root of the client if its process works elsewhere. */
  #directory(): string | undefined {
    const { directory, paths } = this.#standing;
    const [root] = paths ?? [];
    const isOwn =
      directory && (!paths?.length || paths.some((path) => isWithin(realPathOf(directory), path, platform)));
    return isOwn ? directory : root;
  }
}

type Folders = ReturnType<World['folders']>;

function placeOf(directory: string, folders: Folders): Place | undefined {
  const path = realPathOf(directory);
  if (folders.length === 0 || folders.some(({ realPath }) => isWithin(realPath, path, platform)))
    return undefined;
  const folder = folders.find(({ realPath }) => isWithin(path, realPath, platform));
  if (!folder) return isInRepository(path) ? { kind: 'beside', path } : undefined;
  const spelled = (inner: string) => respelled(inner, folder.realPath, folder.path, platform);
  const checkout = checkoutOf(path, folder.realPath);
  return checkout ? { kind: 'checkout', path: spelled(checkout) } : { kind: 'inside', path: spelled(path) };
}

/** Some clients start programs in their own directory, or in any: only a repository is a place of work. */
function isInRepository(directory: string): boolean {
  for (let at = directory; dirname(at) !== at; at = dirname(at))
    if (existsSync(join(at, '.git'))) return true;
  return false;
}

/** The top of the linked worktree that a directory is in, below a folder. */
function checkoutOf(directory: string, folder: string): string | undefined {
  for (let at = directory; at !== folder && dirname(at) !== at; at = dirname(at)) {
    const git = join(at, '.git');
    const stats = statSync(git, { throwIfNoEntry: false });
    if (stats)
      return stats.isFile() && /^gitdir: .*\/worktrees\//.test(readFileSync(git, 'utf8')) ? at : undefined;
  }
  return undefined;
}

function noteOn({ kind, path }: Place, folders: Folders): string {
  const own = visible(path);
  if (kind === 'checkout')
    return `You work in ${own}: relative paths, lists and searches mean that checkout, and other files have absolute paths.`;
  // Others may be outside the client's roots.
  const folder = folders.find((one) => isWithin(path, one.path, platform));
  return folder
    ? `You work in ${own}. Results name files relative to the workspace folder ${visible(folder.path)}.`
    : `Your directory ${own} is not open in this window: relative paths mean what is open.`;
}

/** VS Code's API as an agent sees it whose own checkout is in a folder: the checkout is its only folder. */
export function codeAt(
  code: typeof vscode,
  { place }: { place: Pick<AgentPlace, 'checkout'> },
): typeof vscode {
  let folder: vscode.WorkspaceFolder | undefined;
  const own = (): vscode.WorkspaceFolder | undefined => {
    const path = place.checkout;
    if (path === undefined) return undefined;
    if (folder?.uri.fsPath !== path) folder = { uri: code.Uri.file(path), name: basename(path), index: 0 };
    return folder;
  };
  const isOwn = (uri: vscode.Uri, { uri: top }: vscode.WorkspaceFolder) =>
    uri.scheme === 'file' && isWithin(uri.fsPath, top.fsPath, platform);
  const workspace = Object.create(code.workspace, {
    workspaceFolders: {
      get: () => {
        const one = own();
        return one ? [one] : code.workspace.workspaceFolders;
      },
    },
    getWorkspaceFolder: {
      value: (uri: vscode.Uri) => {
        const one = own();
        if (!one) return code.workspace.getWorkspaceFolder(uri);
        return isOwn(uri, one) ? one : undefined;
      },
    },
    asRelativePath: {
      value: (uri: vscode.Uri, includeFolder?: boolean) => {
        const one = own();
        if (!one || !isOwn(uri, one)) return code.workspace.asRelativePath(uri, includeFolder);
        return uri.path.slice(one.uri.path.length + 1);
      },
    },
  });
  return Object.create(code, { workspace: { value: workspace } });
}
