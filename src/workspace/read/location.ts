import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type * as vscode from 'vscode';
import type { Policy } from '../../access/policy.ts';
import type { AccessInputs } from '../../access/policyInputs.ts';
import { isWithin, respelled } from '../../core/paths.ts';
import { visible } from '../../core/text/visible.ts';
import { realPathOf, repositoryOf } from '../../util/diskPaths.ts';
import { allTabs, uriOf } from '../../util/tabs.ts';

/** What the policy said of a file or folder: that it is open. */
export interface AccessVerdict {
  /** `Policy.verdicts` of that moment: while it is the same object, the verdict stands. */
  of: object;
  /** Bytes that agents may read: the smallest limit of all its names. */
  maxBytes: number;
}

/** A file or folder that the policy allows, by its name and by where that leads. */
export interface Location {
  uri: vscode.Uri;
  /** As results name it: relative to its workspace folder, prefixed with the folder's name if there are several. */
  path: string;
  folder?: vscode.WorkspaceFolder;
  /** A sentence on its name, if that is not exactly the one that was asked for. */
  note?: string;
  /** Absolute, all links resolved. Undefined in a virtual file system, and if the file is not on the disk. */
  realPath?: string;
  /** VS Code's URI of the link target, if it differs from `uri`. */
  targetUri?: vscode.Uri;
  verdict: AccessVerdict;
}

export interface Locator {
  /** As the agent sees it: see `codeAt`. */
  vscode: typeof vscode;
  inputs: AccessInputs;
  policy: Policy;
  place: AgentPlace;
}

/** Only on Windows is a backslash a separator; elsewhere it may be part of a name. */
export const slashed = (path: string): string =>
  process.platform === 'win32' ? path.replaceAll('\\', '/') : path;

/** The loaded document of a file, by its own URI or its link target's, whether or not an editor shows it. */
export function openDocument(
  { workspace }: typeof vscode,
  { uri, targetUri = uri }: Pick<Location, 'uri' | 'targetUri'>,
): vscode.TextDocument | undefined {
  const [name, target] = [uri.toString(), targetUri.toString()];
  for (const document of workspace.textDocuments) {
    const key = document.uri.toString();
    if (!document.isClosed && (key === name || key === target)) return document;
  }
  return undefined;
}

/** Whether the user has the text of a file that is gone: unsaved, or in a tab. VS Code itself keeps others loaded for minutes. */
export function isLastText(code: typeof vscode, location: Pick<Location, 'uri' | 'targetUri'>): boolean {
  const document = openDocument(code, location);
  if (!document || document.isDirty) return document !== undefined;
  return allTabs(code).some((tab) => `${uriOf(tab)}` === `${document.uri}`);
}

/** The notebook of a file that is open in VS Code. */
export function openNotebook(
  { workspace }: typeof vscode,
  { uri, targetUri = uri }: Pick<Location, 'uri' | 'targetUri'>,
): vscode.NotebookDocument | undefined {
  const wanted = [uri.toString(), targetUri.toString()];
  return workspace.notebookDocuments.find((notebook) => wanted.includes(notebook.uri.toString()));
}

/** Whether a path is always read as a URI; a relative path may look like one. */
export const isUri = (path: string): boolean => /^([a-z][a-z0-9+.-]+:\/|untitled:)/i.test(path);

/** A file's path in results, accepted by `locate`: with `/`, relative to its folder, after the folder's name if there are several. */
export function displayPath({ vscode: { workspace } }: Pick<Locator, 'vscode'>, uri: vscode.Uri): string {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder) return wholePath(uri);
  const folders = workspace.workspaceFolders ?? [];
  const inside = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  if (inside) return pathIn(prefixOf(folder, folders), inside) ?? wholePath(uri);
  return folders.length > 1 ? labelOf(folder, folders) : '.';
}

const wholePath = (uri: vscode.Uri): string => (uri.scheme === 'file' ? uri.fsPath : uri.toString());

/** A folder's name, or its whole path if the name does not identify it. */
export const labelOf = (
  folder: vscode.WorkspaceFolder,
  folders: readonly vscode.WorkspaceFolder[],
): string => (isUsable(folder.name, folders) ? folder.name : wholePath(folder.uri));

/** The prefix of paths in a folder; undefined if only whole paths identify its files. */
export function prefixOf(
  { name }: vscode.WorkspaceFolder,
  folders: readonly vscode.WorkspaceFolder[],
): string | undefined {
  if (folders.length < 2) return '';
  return isUsable(name, folders) ? `${name}/` : undefined;
}

/** A path in a folder with its prefix; undefined if it would be read as something else. */
export const pathIn = (prefix: string | undefined, inside: string): string | undefined =>
  prefix === undefined || isUri(prefix + inside) ? undefined : prefix + inside;

/** The workspace file may give a folder any name, and the same name twice. */
function isUsable(name: string, folders: readonly vscode.WorkspaceFolder[]): boolean {
  const isPlain = !slashed(name).includes('/') && name !== '.' && name !== '..' && visible(name) === name;
  const isOther = isUri(`${name}/`) || isAbsolute(`${name}/`);
  return isPlain && !isOther && folders.filter((folder) => folder.name === name).length === 1;
}

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
export class AgentPlace {
  readonly #inputs: Pick<AccessInputs, 'rules'>;
  readonly #standing: Standing;
  /** As last determined, and from what. */
  #known: { folders: Folders; roots: Standing['paths']; place: PlaceOfWork | undefined } | undefined;
  #isNoted = false;

  constructor(inputs: Pick<AccessInputs, 'rules'>, standing: Standing) {
    this.#inputs = inputs;
    this.#standing = standing;
  }

  get now(): PlaceOfWork | undefined {
    const { folders } = this.#inputs.rules;
    const { paths: roots } = this.#standing;
    if (this.#known?.folders !== folders || this.#known.roots !== roots) {
      const directory = directoryOf(this.#standing);
      const place = directory === undefined ? undefined : placeOf(directory, folders);
      this.#known = { folders, roots, place };
    }
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
    if (this.#isNoted || !place) return undefined;
    this.#isNoted = true;
    return noteOn(place, this.#inputs.rules.folders);
  }
}

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
