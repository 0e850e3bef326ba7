import { throwIfCancelled } from '../../core/errors.ts';
import { withToken } from '../../util/cancellationToken.ts';
import { withDeadline } from '../../util/deadline.ts';
import { inParallel } from '../../util/inParallel.ts';
import { inSlices } from '../../util/inSlices.ts';
import { PATIENCE } from './diskFiles.ts';
import { IGNORE_FILES, IgnoreRules } from './ignoreRules.ts';
import {
  directoryOf,
  downwards,
  entriesOf,
  type Inside,
  isOfGit,
  lookInside,
  rulesIn,
  type VirtualFolder,
} from './virtualFolder.ts';

/** How long VS Code may search a virtual file system, in milliseconds, before its directories are read instead. */
const SEARCH_PATIENCE = 2_000;
/** Directories read at once. */
const AT_ONCE = 16;

/** Paths of all files in a folder, in no order. @throws CancelledError, UserError */
export async function virtualFiles(folder: VirtualFolder, signal: AbortSignal): Promise<string[]> {
  const found = await foundByEditor(folder, signal);
  const paths = found
    ? await withoutIgnored(folder, found, signal)
    : await walked(folder, '', IgnoreRules.NONE, signal);
  const { hasConditions, bySibling } = folder.excludes;
  if (!hasConditions) return paths;
  const known = new Set(paths);
  return paths.filter((path) => !bySibling(path, (sibling) => known.has(sibling)));
}

/** With what is ignored. Undefined where VS Code has no search for the file system, or one that finds no ignore files. */
async function foundByEditor(folder: VirtualFolder, signal: AbortSignal): Promise<string[] | undefined> {
  const { excludes, unsearched } = folder;
  const { scheme } = folder.folder.uri;
  // It leaves out what the settings do; rules count all the same.
  if (unsearched.has(scheme) || excludes.byName('.gitignore')) return undefined;
  const paths = (await search(folder, signal)).filter((path) => !isOfGit(path) && !excludes.byName(path));
  if (scheme === 'file') return paths;
  if (paths.length > 0 && (await hasHidden(folder, paths, signal))) return paths;
  unsearched.add(scheme);
  return undefined;
}

async function search({ vscode, folder }: VirtualFolder, signal: AbortSignal): Promise<string[]> {
  const { scheme, path } = folder.uri;
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const patience = scheme === 'file' ? PATIENCE : SEARCH_PATIENCE;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const uris = await withToken(vscode, stop, (token) =>
    withDeadline(vscode.workspace.findFiles(pattern, undefined, undefined, token), 'listing files', patience),
  ).catch((error) => {
    if (scheme === 'file') throw error;
    return [];
  });
  throwIfCancelled(signal); // what VS Code has found until then is not all
  const start = path.replace(/\/$/, '').length + 1;
  return uris.map((uri) => uri.path.slice(start));
}

/** Whether a search has found the hidden files: that of an extension may leave them away, and ignore files with them. */
async function hasHidden(folder: VirtualFolder, paths: readonly string[], signal: AbortSignal) {
  if (paths.some((path) => /(^|\/)\./.test(path))) return true;
  const looking = withDeadline(entriesOf(folder, '', signal), 'listing files', SEARCH_PATIENCE);
  const entries = await looking.catch(() => []); // then what was found has to do
  throwIfCancelled(signal);
  return !entries.some(({ path }) => path.startsWith('.') && !isOfGit(path) && !folder.excludes.byName(path));
}

/** By the ignore files among them. */
async function withoutIgnored(
  folder: VirtualFolder,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const directory = directoryOf(path);
    const name = path.slice(directory.length);
    if (IGNORE_FILES.includes(name)) names.set(directory, [...(names.get(directory) ?? []), name]);
  }
  if (names.size === 0) return [...paths];
  const read = (directory: string, above: IgnoreRules) =>
    rulesIn(folder, directory, above, names.get(directory) ?? []);
  const rulesOf = downwards(
    () => read('', IgnoreRules.NONE),
    async (directory, above) =>
      above.ignores(directory.slice(0, -1), true) ? undefined : read(directory, above),
  );
  const known = new Map<string, IgnoreRules | undefined>();
  await inParallel([...new Set(paths.map(directoryOf))], AT_ONCE, async (directory) => {
    throwIfCancelled(signal);
    known.set(directory, await rulesOf(directory));
  });
  const left: string[] = [];
  const keep = (path: string) => {
    if (known.get(directoryOf(path))?.ignores(path, false) === false) left.push(path);
  };
  await inSlices(paths, keep, signal);
  return left;
}

/** Of the files at some places, and in them where they are folders, those that are listed. @param places paths in the folder */
export async function virtualFilesAt(
  folder: VirtualFolder,
  places: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  // From the top, since any directory on the way may say that a place is ignored.
  const inside = downwards<Inside>(
    () => lookInside(folder, '', IgnoreRules.NONE, signal),
    async (directory, above) =>
      above.directories.has(directory) ? lookInside(folder, directory, above.rules, signal) : undefined,
  );
  const found = await inParallel(places, AT_ONCE, async (place) => {
    const around = await inside(directoryOf(place));
    if (around?.files.has(place)) return [place];
    return around?.directories.has(`${place}/`) ? walked(folder, `${place}/`, around.rules, signal) : [];
  });
  return found.flat();
}

/** All files in a directory. @param start path of it in the folder, with a slash, or `''`. @param above rules of the one above */
async function walked(
  folder: VirtualFolder,
  start: string,
  above: IgnoreRules,
  signal: AbortSignal,
): Promise<string[]> {
  const paths: string[] = [];
  for (let level = [{ directory: start, above }]; level.length > 0; ) {
    const all = await inParallel(level, AT_ONCE, ({ directory, above }) =>
      lookInside(folder, directory, above, signal),
    );
    for (const { files } of all) for (const path of files) paths.push(path);
    level = all.flatMap(({ directories, rules }) =>
      [...directories].map((directory) => ({ directory, above: rules })),
    );
  }
  return paths;
}
