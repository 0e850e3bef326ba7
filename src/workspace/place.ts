import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import type { AccessInputs } from '../access/policyInputs.ts';
import { isWithin, respelled } from '../core/paths.ts';
import { visible } from '../core/text/shown.ts';
import { realPathOf, repositoryOf } from '../util/diskPaths.ts';

/** What an agent says of where it works. */
export interface Standing {
  readonly directory?: string | undefined;
  /** Real paths of the roots that its client declared; undefined if it declared none. */
  readonly paths: readonly string[] | undefined;
}

/** Where an agent works, if that is neither a workspace folder nor above one. */
interface PlaceOfWork {
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
export function agentPlace(inputs: Pick<AccessInputs, 'rules'>, standing: Standing) {
  /** As last determined, and from what. */
  let known: { folders: Folders; roots: Standing['paths']; place: PlaceOfWork | undefined } | undefined;
  let isTold = false;
  const now = (): PlaceOfWork | undefined => {
    const { folders } = inputs.rules;
    const { paths: roots } = standing;
    if (known?.folders === folders && known.roots === roots) return known.place;
    const directory = directoryOf(standing);
    const place = directory === undefined ? undefined : placeOf(directory, folders);
    known = { folders, roots, place };
    return place;
  };
  return {
    get now() {
      return now();
    },
    /** The top of the agent's own checkout, if that is inside a folder. */
    get checkout(): string | undefined {
      const place = now();
      return place?.kind === 'checkout' ? place.path : undefined;
    },
    /** What the agent has to know of it, the first time that is asked for. */
    note(): string | undefined {
      const place = now();
      if (isTold || !place) return undefined;
      isTold = true;
      return noteOn(place, inputs.rules.folders);
    },
  };
}

export type AgentPlace = ReturnType<typeof agentPlace>;

type Folders = AccessInputs['rules']['folders'];

/** A root of the client if its process works elsewhere. */
function directoryOf({ directory, paths }: Standing): string | undefined {
  const [root] = paths ?? [];
  const isOwn =
    directory && (!paths?.length || paths.some((path) => isWithin(realPathOf(directory), path, platform)));
  return isOwn ? directory : root;
}

function placeOf(directory: string, folders: Folders): PlaceOfWork | undefined {
  const path = realPathOf(directory);
  if (folders.length === 0 || folders.some(({ realPath }) => isWithin(realPath, path, platform)))
    return undefined;
  const folder = folders.find(({ realPath }) => isWithin(path, realPath, platform));
  // Some clients start programs in their own directory, or in any: only a repository is a place of work.
  if (!folder) return repositoryOf(path) ? { kind: 'beside', path } : undefined;
  const spelled = (inner: string) => respelled(inner, folder.realPath, folder.path, platform);
  const checkout = checkoutOf(path, folder.realPath);
  return checkout ? { kind: 'checkout', path: spelled(checkout) } : { kind: 'inside', path: spelled(path) };
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

function noteOn({ kind, path }: PlaceOfWork, folders: Folders): string {
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
export function codeAt(code: typeof vscode, place: Pick<AgentPlace, 'checkout'>): typeof vscode {
  let folder: vscode.WorkspaceFolder | undefined;
  const own = (): vscode.WorkspaceFolder | undefined => {
    const path = place.checkout;
    if (path === undefined) return undefined;
    if (folder?.uri.fsPath !== path) folder = { uri: code.Uri.file(path), name: basename(path), index: 0 };
    return folder;
  };
  const isOwn = (uri: vscode.Uri, { uri: top }: vscode.WorkspaceFolder) =>
    uri.scheme === 'file' && isWithin(uri.fsPath, top.fsPath, platform);
  const workspace = {
    get workspaceFolders() {
      const one = own();
      return one ? [one] : code.workspace.workspaceFolders;
    },
    getWorkspaceFolder(uri: vscode.Uri) {
      const one = own();
      if (!one) return code.workspace.getWorkspaceFolder(uri);
      return isOwn(uri, one) ? one : undefined;
    },
    asRelativePath(uri: vscode.Uri, includeFolder?: boolean) {
      const one = own();
      if (!one || !isOwn(uri, one)) return code.workspace.asRelativePath(uri, includeFolder);
      return uri.path.slice(one.uri.path.length + 1);
    },
  };
  return Object.create(code, { workspace: { value: Object.setPrototypeOf(workspace, code.workspace) } });
}
