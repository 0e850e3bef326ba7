import type * as vscode from 'vscode';
import { policyPath } from '../../access/policyInputs.ts';
import { pathIn, prefixOf } from '../read/displayPath.ts';

const withSlash = (text: string): string => (text.endsWith('/') ? text : `${text}/`);

/** Characters that a URI takes as they are: most paths consist of them, and making a URI of 100,000 takes seconds. */
const PLAIN = /^[\w.~/-]*$/;

/** What the files of a folder have in common. */
export type ListedFolder = ReturnType<typeof listedFolder>;

export function listedFolder(
  { Uri }: Pick<typeof vscode, 'Uri'>,
  folder: vscode.WorkspaceFolder,
  all: readonly vscode.WorkspaceFolder[],
) {
  const { uri } = folder;
  const uriPrefix = withSlash(uri.toString());
  const displayPrefix = prefixOf(folder, all);
  const namePrefix = all.length > 1 ? `${folder.name}/` : '';
  const nested = all
    .map((other) => withSlash(other.uri.toString()))
    .filter((prefix) => prefix !== uriPrefix && prefix.startsWith(uriPrefix))
    .map((prefix) => prefix.slice(uriPrefix.length));
  const uriOf = (inside: string): vscode.Uri => Uri.joinPath(uri, inside);
  return {
    ...{ uri, uriPrefix, namePrefix, uriOf },
    pathPrefix: withSlash(uri.path),
    policyPrefix: withSlash(policyPath(uri)),
    /** In front of paths in it, as results name them; undefined where only whole paths do. */
    displayPrefix,
    /** Tails of other workspace folders that lie in this one, with a slash. */
    nested,
    /** The same for a folder that names its files the same. */
    key: JSON.stringify([uriPrefix, displayPrefix, namePrefix, nested]),
    /** The end of a file's URI, after that of the folder. @param inside path in the folder, with `/` between the names */
    tailOf: (inside: string): string =>
      PLAIN.test(inside) ? inside : uriOf(inside).toString().slice(uriPrefix.length),
    /** Whether what has this tail belongs to it, not to a folder nested in it. */
    isInnermostOf: (tail: string): boolean => !nested.some((prefix) => tail.startsWith(prefix)),
  };
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
