import type * as vscode from 'vscode';
import { pathIn, prefixOf } from './naming.ts';
import { policyPath } from './world.ts';

const withSlash = (text: string): string => (text.endsWith('/') ? text : `${text}/`);

/** What the files of a folder have in common. */
export class ListedFolder {
  readonly uri: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly uriPrefix: string;
  /** In front of paths in it, as results name them; undefined where only whole paths do. */
  readonly displayPrefix: string | undefined;
  readonly namePrefix: string;
  readonly policyPrefix: string;
  readonly #uris: typeof vscode.Uri;
  /** Ways into other workspace folders that lie in this one. */
  readonly #nested: readonly string[];

  constructor(
    uris: typeof vscode.Uri,
    folder: vscode.WorkspaceFolder,
    all: readonly vscode.WorkspaceFolder[],
  ) {
    this.#uris = uris;
    this.folder = folder;
    this.uri = folder.uri;
    this.uriPrefix = withSlash(folder.uri.toString());
    this.displayPrefix = prefixOf(folder, all);
    this.namePrefix = all.length > 1 ? `${folder.name}/` : '';
    this.policyPrefix = withSlash(policyPath(folder.uri));
    const inside = withSlash(folder.uri.path);
    this.#nested = all
      .filter(({ uri }) => uri.scheme === this.uri.scheme && uri.authority === this.uri.authority)
      .filter((other) => other !== folder && other.uri.path.startsWith(inside))
      .map(({ uri }) => withSlash(uri.path.slice(inside.length)));
  }

  uriOf(inside: string): vscode.Uri {
    return this.#uris.joinPath(this.folder.uri, inside);
  }

  /** Whether a path in it belongs to it, not to a folder nested in it. */
  isInnermostOf(inside: string): boolean {
    return !this.#nested.some((prefix) => inside.startsWith(prefix));
  }
}

/** Characters that a URI takes as they are: most paths consist of them, and making a URI of 100,000 takes seconds. */
const PLAIN = /^[\w.~/-]*$/;

/** One file of a list. A window may have hundreds of thousands: all but its place is worked out when asked for. */
export class ListedFile {
  /** The URI as text: what lists are sorted by. */
  readonly key: string;
  readonly #folder: ListedFolder;
  /** Path in its folder, with `/` between the names. */
  readonly inside: string;

  constructor(folder: ListedFolder, inside: string) {
    this.#folder = folder;
    this.inside = inside;
    this.key = PLAIN.test(inside) ? folder.uriPrefix + inside : folder.uriOf(inside).toString();
  }

  get uri(): vscode.Uri {
    return this.#folder.uriOf(this.inside);
  }

  /** As results name it. */
  get path(): string {
    return pathIn(this.#folder.displayPrefix, this.inside) ?? this.#wholePath;
  }

  /** As it is looked up: with the folder's name in front where there are several, shared or not. */
  get named(): string {
    return this.#folder.namePrefix + this.inside;
  }

  get #wholePath(): string {
    if (this.#folder.uri.scheme !== 'file') return this.key;
    return process.platform === 'win32' ? this.policyPath.replaceAll('/', '\\') : this.policyPath;
  }

  /** As the policy judges it. */
  get policyPath(): string {
    return this.#folder.policyPrefix + this.inside;
  }
}
