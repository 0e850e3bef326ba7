import type * as vscode from 'vscode';
import { policyPath } from '../../access/policyInputs.ts';
import { pathIn, prefixOf } from '../read/location.ts';

const withSlash = (text: string): string => (text.endsWith('/') ? text : `${text}/`);

/** Characters that a URI does not escape. Most paths need no escaping, and creating 100,000 URIs takes seconds. */
const PLAIN = /^[\w.~/-]*$/;

/** A workspace folder of a list, and how its files are named. */
export class ListedFolder {
  readonly uri: vscode.Uri;
  readonly uriPrefix: string;
  readonly namePrefix: string;
  readonly pathPrefix: string;
  readonly policyPrefix: string;
  /** Prefix of its paths in results; undefined if results use whole paths. */
  readonly displayPrefix: string | undefined;
  /** Tails of the workspace folders nested in this one, with a slash at the end. */
  readonly nested: readonly string[];
  /** Equal for folders that name their files in the same way. */
  readonly key: string;
  readonly uriOf: (inside: string) => vscode.Uri;

  constructor(
    { Uri }: Pick<typeof vscode, 'Uri'>,
    folder: vscode.WorkspaceFolder,
    all: readonly vscode.WorkspaceFolder[],
  ) {
    const { uri } = folder;
    this.uri = uri;
    this.uriPrefix = withSlash(uri.toString());
    this.namePrefix = all.length > 1 ? `${folder.name}/` : '';
    this.pathPrefix = withSlash(uri.path);
    this.policyPrefix = withSlash(policyPath(uri));
    this.displayPrefix = prefixOf(folder, all);
    this.nested = all
      .map((other) => withSlash(other.uri.toString()))
      .filter((prefix) => prefix !== this.uriPrefix && prefix.startsWith(this.uriPrefix))
      .map((prefix) => prefix.slice(this.uriPrefix.length));
    this.key = JSON.stringify([this.uriPrefix, this.displayPrefix, this.namePrefix, this.nested]);
    this.uriOf = (inside) => Uri.joinPath(uri, inside);
  }

  /** The tail of a file's URI, after the folder's. @param inside path in the folder, separated by `/` */
  tailOf(inside: string): string {
    return PLAIN.test(inside) ? inside : this.uriOf(inside).toString().slice(this.uriPrefix.length);
  }

  /** Whether a tail belongs to this folder, not to a nested one. */
  isInnermostOf(tail: string): boolean {
    return !this.nested.some((prefix) => tail.startsWith(prefix));
  }
}

/** One file of a list, created on demand: a window may have hundreds of thousands, so it keeps only their tails. */
export class ListedFile {
  readonly #folder: ListedFolder;
  readonly #tail: string;

  constructor(folder: ListedFolder, tail: string) {
    this.#folder = folder;
    this.#tail = tail;
  }

  /** The URI as text; the sort key of lists. */
  get key(): string {
    return this.#folder.uriPrefix + this.#tail;
  }

  /** Path in its folder, separated by `/`. */
  get inside(): string {
    return this.#tail.includes('%') ? decodeURIComponent(this.#tail) : this.#tail;
  }

  get uri(): vscode.Uri {
    return this.#folder.uriOf(this.inside);
  }

  /** The path of its URI, decoded. */
  get uriPath(): string {
    return this.#folder.pathPrefix + this.inside;
  }

  get path(): string {
    return pathIn(this.#folder.displayPrefix, this.inside) ?? this.#wholePath;
  }

  /** The path for lookups: prefixed with the folder's name if there are several folders, even if names repeat. */
  get named(): string {
    return this.#folder.namePrefix + this.inside;
  }

  get #wholePath(): string {
    if (this.#folder.uri.scheme !== 'file') return this.key;
    return process.platform === 'win32' ? this.policyPath.replaceAll('/', '\\') : this.policyPath;
  }

  get policyPath(): string {
    return this.#folder.policyPrefix + this.inside;
  }
}
