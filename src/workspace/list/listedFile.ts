import type * as vscode from 'vscode';
import { policyPath } from '../../access/policyInputs.ts';
import { pathIn, prefixOf } from '../read/displayPath.ts';

const withSlash = (text: string): string => (text.endsWith('/') ? text : `${text}/`);

/** Characters that a URI takes as they are: most paths consist of them, and making a URI of 100,000 takes seconds. */
const PLAIN = /^[\w.~/-]*$/;

/** What the files of a folder have in common. */
export class ListedFolder {
  readonly uri: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly uriPrefix: string;
  readonly pathPrefix: string;
  /** In front of paths in it, as results name them; undefined where only whole paths do. */
  readonly displayPrefix: string | undefined;
  readonly namePrefix: string;
  readonly policyPrefix: string;
  readonly #uris: typeof vscode.Uri;
  /** The same for a folder that names its files the same. */
  readonly key: string;
  /** Tails of other workspace folders that lie in this one, with a slash. */
  readonly nested: readonly string[];

  constructor(
    uris: typeof vscode.Uri,
    folder: vscode.WorkspaceFolder,
    all: readonly vscode.WorkspaceFolder[],
  ) {
    this.#uris = uris;
    this.folder = folder;
    this.uri = folder.uri;
    this.uriPrefix = withSlash(folder.uri.toString());
    this.pathPrefix = withSlash(folder.uri.path);
    this.displayPrefix = prefixOf(folder, all);
    this.namePrefix = all.length > 1 ? `${folder.name}/` : '';
    this.policyPrefix = withSlash(policyPath(folder.uri));
    this.nested = all
      .map(({ uri }) => withSlash(uri.toString()))
      .filter((prefix) => prefix !== this.uriPrefix && prefix.startsWith(this.uriPrefix))
      .map((prefix) => prefix.slice(this.uriPrefix.length));
    this.key = JSON.stringify([this.uriPrefix, this.displayPrefix, this.namePrefix, this.nested]);
  }

  uriOf(inside: string): vscode.Uri {
    return this.#uris.joinPath(this.folder.uri, inside);
  }

  /** The end of a file's URI, after that of the folder. @param inside path in the folder, with `/` between the names */
  tailOf(inside: string): string {
    return PLAIN.test(inside) ? inside : this.uriOf(inside).toString().slice(this.uriPrefix.length);
  }

  /** Whether what has this tail belongs to it, not to a folder nested in it. */
  isInnermostOf(tail: string): boolean {
    return !this.nested.some((prefix) => tail.startsWith(prefix));
  }
}

/** The path in its folder that the end of a file's URI stands for. */
export const insideOf = (tail: string): string => (tail.includes('%') ? decodeURIComponent(tail) : tail);

/** One file of a list, made when it is asked for: a window may have hundreds of thousands, and keeps their tails alone. */
export class ListedFile {
  readonly #folder: ListedFolder;
  readonly #tail: string;

  constructor(folder: ListedFolder, tail: string) {
    this.#folder = folder;
    this.#tail = tail;
  }

  /** The URI as text: what lists are sorted by. */
  get key(): string {
    return this.#folder.uriPrefix + this.#tail;
  }

  /** Path in its folder, with `/` between the names. */
  get inside(): string {
    return insideOf(this.#tail);
  }

  get uri(): vscode.Uri {
    return this.#folder.uriOf(this.inside);
  }

  /** The path of its URI, decoded. */
  get uriPath(): string {
    return this.#folder.pathPrefix + this.inside;
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
