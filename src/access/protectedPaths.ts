import { braceExpand } from 'minimatch';
import { CLOSED, GUARDED, type PathRows, type Reason } from './pathTables.ts';

/**
 * Finds the first reason whose globs match a path: absolute, with `/` as separator. All globs form one expression, because lists of
 * 100,000 files are matched against it.
 */
function finderIn<Reason extends string>(table: PathRows<Reason>): (path: string) => Reason | undefined {
  const all: string[] = [];
  const rows = Object.entries<readonly string[]>(table).map(([reason, row]) => {
    const { globs = [], except = [] } = Object.groupBy(row, (one) => (one[0] === '!' ? 'except' : 'globs'));
    all.push(...globs);
    const exceptions = except.map((one) => one.slice(1));
    return { reason: reason as Reason, globs: expressionOf(globs), except: expressionOf(exceptions) };
  });
  const any = expressionOf(all);
  return (path) =>
    any.test(path)
      ? rows.find(({ globs, except }) => globs.test(path) && !except.test(path))?.reason
      : undefined;
}

/** Flag `u` also matches characters that some systems treat as an ASCII letter in another case, such as `\u017f` for s. */
const expressionOf = (globs: readonly string[]): RegExp =>
  new RegExp(globs.length === 0 ? '(?!)' : `(?:${globs.map(sourceOf).join('|')})$`, 'iu');

const PARTS: Record<string, string> = { '**/': '(?:[^/]+/)*', '*': '[^/]*', '{': '(?:', ',': '|', '}': ')' };

/** A glob that starts with `*` matches the end of a name; finding the start of the name would take longer. */
const sourceOf = (glob: string): string =>
  glob
    .replace(/^\*|^/, (star) => (star ? '' : '/'))
    .replace(/\*\*\/|[*{,}]|[.+()[\]^$|?\\]/g, (part) => PARTS[part] ?? `\\${part}`)
    .replace(/\/$/, '(?:/[^]*)?');

/**
 * Marks that editors, file managers and users add to the name of a copy, before or after the extension: `.bak`, `~`, `-2024-05-01`,
 * ` (1)`, ` - Copy`, `___jb_tmp___`. Each needs a separator in front, because the original name may end in digits.
 */
const MARK = [
  String.raw`[-._ ]{1,3}(?:workspace-mcp-backup|bak|bck|bkp|back[-_]?up|cop(?:y|ie|ia)|cópia|kopie|копия|old|orig(?:inal)?|prev(?:ious)?|saved?|sw[a-p]|kate-swp|te?mp|new|lock|local|base|remote|mine|theirs|rej|disabled|part|crdownload|gz|zip|bz2|xz|zst|7z|tgz|tar)\d{0,20}`,
  String.raw`[-._ ]{1,3}r?\d[\d:_-]{0,30}`,
  '[-._ ]{0,3}的?(?:副本|复件|拷贝|コピー|복사본)',
  ' ?[(（][^()（）/]{1,40}[)）]',
  String.raw`(?:\.un|\.)?~(?:\d{1,9}~)?`,
  '_{1,3}jb_(?:tmp|old|bak)_{0,3}',
  '#',
].join('|');

/** Prefixes that Emacs, LibreOffice, macOS and users put before the name of a copy. */
const START = String.raw`(?<=\/)(?:\.?#|\.~lock\.|\._|copy (?:\(\d{1,9}\) )?of )`;

const MARKS = new RegExp(`${START}|(?:${MARK})(?=(?:\\.[^/.]{1,20})?(?:\\/|$))`, 'giu');

/** The paths that a path may be a copy of, by its names; empty if none looks like a copy. @param path with `/` as separator */
function originalsOf(path: string): string[] {
  // There may be several marks, before and after the extension.
  let original = path;
  for (let round = 0; round < 4; round++) {
    const before = original;
    original = before.replace(MARKS, '');
    if (original === before) break;
  }
  // Vim puts a dot before the name.
  return [original, original.replace(/\/\.(?=[^/]*$)/, '/')].filter((name) => name !== path);
}

const closedReason = finderIn(CLOSED);

/** Why a path is closed; copies of secrets are closed too. @param path absolute, with `/` as separator */
export function closedBy(path: string): Reason | undefined {
  for (const name of [path, ...originalsOf(path)]) {
    const reason = closedReason(name);
    if (reason) return reason;
  }
  return undefined;
}

/** Why a path is guarded. @param path absolute, with `/` as separator, and one at the end if it is a folder */
export const guardedBy: (path: string) => Reason | undefined = finderIn(GUARDED);

/** Names of folders in the tables, in lower case. */
const folderNames = new Set(
  [CLOSED, GUARDED]
    .flatMap((table) => Object.values<readonly string[]>(table).flat())
    .filter((glob) => glob.includes('/'))
    .flatMap((glob) => braceExpand(glob.toLowerCase()))
    .flatMap((glob) => glob.split('/').slice(0, -1))
    .filter((name) => !name.includes('*')),
);

/** Whether a table has a folder of this name, by which files in it are closed or guarded. */
export const namesFolder = (name: string): boolean => folderNames.has(name.toLowerCase());
