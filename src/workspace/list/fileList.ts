import type * as vscode from 'vscode';
import { ListedFile, type ListedFolder } from './listedFile.ts';

/** The files of one folder, as sorted URI tails. To save memory, each file is kept only as this string. */
interface FolderFiles {
  folder: ListedFolder;
  tails: readonly string[];
}

/** A run of one folder's files; files of another folder may follow. `end` is exclusive. */
interface Stretch extends FolderFiles {
  start: number;
  end: number;
}

/** Verdicts; 0 means not judged yet. */
const OPEN = 1;
const CLOSED = 2;

type Judge = (file: ListedFile) => boolean;

/**
 * An immutable list of all files of the window, sorted by URI. When files come or go, a new list replaces it. Iterating
 * creates each file object when it is needed.
 */
export class FileList {
  readonly parts: readonly FolderFiles[];
  readonly #stretches: readonly Stretch[];
  readonly #judge: Judge | undefined;
  /** Verdicts so far, by tails and index. */
  readonly #verdicts = new Map<readonly string[], Uint8Array>();
  #count: number | undefined;

  /** @param judge whether a file belongs to the list */
  constructor(parts: readonly FolderFiles[], judge?: Judge) {
    this.parts = parts;
    this.#judge = judge;
    this.#stretches = stretchesOf(parts);
  }

  /** Only the files that one agent may see. Each is judged once, on first use. */
  judgedBy(judge: Judge): FileList {
    return new FileList(this.parts, judge);
  }

  [Symbol.iterator](): Generator<ListedFile> {
    return this.from('');
  }

  /** Matching files whose URI is `key` or comes after it. `fits` runs before the judge, which is slower. */
  *from(key: string, fits: (file: ListedFile) => boolean = () => true): Generator<ListedFile> {
    for (const { folder, tails, start, end } of this.#stretches) {
      const first = firstIn(folder, tails, key, start, end);
      for (let index = first; index < end; index++) {
        const file = new ListedFile(folder, tails[index] as string);
        if (fits(file) && this.#passes(file, tails, index)) yield file;
      }
    }
  }

  after(key: string): Generator<ListedFile> {
    return this.from(`${key}\0`); // no URI contains NUL
  }

  get(key: string): ListedFile | undefined {
    for (const file of this.from(key)) return file.key === key ? file : undefined;
    return undefined;
  }

  /** Whether a file's URI begins with this prefix. */
  hasUnder(prefix: string): boolean {
    for (const file of this.from(prefix)) return file.key.startsWith(prefix);
    return false;
  }

  /** Whether it has a file, or files in a folder. */
  holds(uri: vscode.Uri): boolean {
    const key = uri.toString().replace(/\/$/, '');
    return this.has(key) || this.hasUnder(`${key}/`);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  filter(fits: (file: ListedFile) => boolean): ListedFile[] {
    return [...this.from('', fits)];
  }

  /** Policy paths of the folders that contain a file of this name. */
  foldersWith(name: string): string[] {
    return this.parts.flatMap(({ folder, tails }) =>
      tails
        .filter((tail) => tail === name || tail.endsWith(`/${name}`))
        .map((tail) => new ListedFile(folder, tail).policyPath.slice(0, -name.length - 1)),
    );
  }

  get count(): number {
    this.#count ??= this.filter(() => true).length;
    return this.#count;
  }

  /** Whether both lists have the same files with the same names. */
  isSameAs({ parts }: FileList): boolean {
    const isSame = ({ folder, tails }: FolderFiles, index: number) => {
      const other = parts[index];
      return other && folder.key === other.folder.key && differing(tails, other.tails).length === 0;
    };
    return parts.length === this.parts.length && this.parts.every(isSame);
  }

  /** Files that are in only one of two lists of the same folders; not judged. */
  differencesFrom(before: FileList): ListedFile[] {
    return this.parts.flatMap(({ folder, tails }) => {
      const old = before.parts.find((part) => part.folder.uriPrefix === folder.uriPrefix);
      return differing(old?.tails ?? [], tails).map((tail) => new ListedFile(folder, tail));
    });
  }

  #passes(file: ListedFile, tails: readonly string[], index: number): boolean {
    if (!this.#judge) return true;
    const verdicts = this.#verdicts.get(tails) ?? new Uint8Array(tails.length);
    this.#verdicts.set(tails, verdicts);
    verdicts[index] ||= this.#judge(file) ? OPEN : CLOSED;
    return verdicts[index] === OPEN;
  }
}

function firstIn(
  { uriPrefix }: ListedFolder,
  tails: readonly string[],
  key: string,
  start: number,
  end: number,
) {
  if (key.startsWith(uriPrefix)) return firstFrom(tails, key.slice(uriPrefix.length), start, end);
  return uriPrefix < key ? end : start;
}

/** Splits each folder's files at the folders nested in it: in URI order their files come in between. */
function stretchesOf(parts: readonly FolderFiles[]): Stretch[] {
  const cut = parts.flatMap(({ folder, tails }) => {
    const cuts = folder.nested.map((prefix) => firstFrom(tails, prefix)).sort((a, b) => a - b);
    return [...cuts, tails.length].map((end, index) => ({ folder, tails, start: cuts[index - 1] ?? 0, end }));
  });
  return cut.filter(({ start, end }) => start < end).sort((a, b) => (firstKey(a) < firstKey(b) ? -1 : 1));
}

const firstKey = ({ folder, tails, start }: Stretch): string => folder.uriPrefix + tails[start];

/** The character after `/`: everything in a folder sorts before the folder's name plus this character. */
export const AFTER_SLASH = '0';

/** Index of the first tail that is equal to or after the given one, by binary search. */
export function firstFrom(tails: readonly string[], tail: string, from = 0, to = tails.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tails[middle] as string) < tail) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Items that are in only one of two lists. */
function differing(before: readonly string[], now: readonly string[]): string[] {
  if (before === now) return [];
  const found: string[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < now.length) {
    const [old, recent] = [before[left], now[right]];
    if (old === recent) {
      left++;
      right++;
    } else if (recent === undefined || (old !== undefined && old < recent)) {
      found.push(old as string);
      left++;
    } else {
      found.push(recent);
      right++;
    }
  }
  return found;
}
