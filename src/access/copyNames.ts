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
export function originalsOf(path: string): string[] {
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
