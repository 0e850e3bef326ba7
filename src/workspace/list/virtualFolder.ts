import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import { inSlices } from '../../util/inSlices.ts';
import type { Excludes } from './excludes.ts';
import { IGNORE_FILES, type IgnoreRules } from './ignoreRules.ts';

/** Largest ignore file that counts, in bytes. */
const LARGEST_RULES = 1024 * 1024;
/** How long an ignore file is waited for, in milliseconds, before it is left out. */
const RULES_PATIENCE = 5_000;

/** A folder of a virtual file system, or one on the disk where VS Code brings no ripgrep. */
export interface VirtualFolder {
  vscode: typeof vscode;
  folder: vscode.WorkspaceFolder;
  excludes: Excludes;
  /**
   * Schemes that VS Code's search does not answer for, or only in part: where no extension brings one, it waits for
   * one that might.
   */
  unsearched: Set<string>;
}

/** What lies directly in a directory and is listed. */
export interface Inside {
  files: ReadonlySet<string>;
  /** Each with a slash at the end. */
  directories: ReadonlySet<string>;
  /** What holds for them. */
  rules: IgnoreRules;
}

/** The directory that a path lies in, with a slash, or `''`. */
export const directoryOf = (path: string): string =>
  path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);

/** Links left out. @param above rules of the directory above, which does not ignore this one */
export async function lookInside(
  folder: VirtualFolder,
  directory: string,
  above: IgnoreRules,
  signal: AbortSignal,
): Promise<Inside> {
  const { File, Directory } = folder.vscode.FileType;
  const entries = await entriesOf(folder, directory, signal);
  const names = entries.filter(({ type }) => type & File).map(({ path }) => path.slice(directory.length));
  const rules = await rulesIn(folder, directory, above, names);
  const files = new Set<string>();
  const directories = new Set<string>();
  const sort = ({ path, type }: { path: string; type: vscode.FileType }) => {
    if (type !== File && type !== Directory) return;
    if (isOfGit(path) || folder.excludes.byName(path) || rules.ignores(path, type === Directory)) return;
    if (type === File) files.add(path);
    else directories.add(`${path}/`);
  };
  await inSlices(entries, sort, signal);
  return { files, directories, rules };
}

/** Whether it is a `.git`, which never is listed, or lies in one. */
export const isOfGit = (path: string): boolean => /(^|\/)\.git(\/|$)/.test(path);

/** With what the ignore files of a directory say, as they are saved. @param names of files in it */
export async function rulesIn(
  folder: VirtualFolder,
  directory: string,
  above: IgnoreRules,
  names: readonly string[],
): Promise<IgnoreRules> {
  const texts = names
    .filter((name) => IGNORE_FILES.includes(name))
    .map(async (name) => [name, await rulesText(folder, directory + name)] as const);
  return above.within(directory, new Map(await Promise.all(texts)));
}

/** Empty where it cannot be read, or is no text that a person wrote. */
async function rulesText({ vscode, folder }: VirtualFolder, path: string): Promise<string> {
  const { Uri, workspace } = vscode;
  const uri = Uri.joinPath(folder.uri, path);
  const read = async () => {
    if ((await workspace.fs.stat(uri)).size > LARGEST_RULES) return '';
    const bytes = await workspace.fs.readFile(uri);
    return bytes.byteLength > LARGEST_RULES ? '' : new TextDecoder().decode(bytes);
  };
  return withDeadline(read(), `reading ${path}`, RULES_PATIENCE).catch(() => '');
}

/** Empty where the directory has gone, or is not to be read. @throws CancelledError, UserError */
export async function entriesOf({ vscode, folder }: VirtualFolder, directory: string, signal: AbortSignal) {
  throwIfCancelled(signal);
  const { Uri, workspace } = vscode;
  const uri = Uri.joinPath(folder.uri, directory);
  const entries = await withDeadline(workspace.fs.readDirectory(uri), `listing ${uri.path}`).catch(
    (error) => {
      if (error instanceof UserError) throw error;
      return []; // gone meanwhile, or not to be read
    },
  );
  return entries.map(([name, type]) => ({ path: directory + name, type }));
}

/**
 * Makes something of directories, of each once, out of what it is of the directory above.
 *
 * @param make not called for what lies in one of which it is undefined
 */
export function downwards<T>(
  top: () => Promise<T>,
  make: (directory: string, above: T) => Promise<T | undefined>,
): (directory: string) => Promise<T | undefined> {
  const made = new Map<string, Promise<T | undefined>>();
  const of = (directory: string): Promise<T | undefined> => {
    const known = made.get(directory);
    if (known) return known;
    const next =
      directory === ''
        ? top()
        : of(directoryOf(directory)).then((above) => (above === undefined ? above : make(directory, above)));
    made.set(directory, next);
    return next;
  };
  return of;
}
