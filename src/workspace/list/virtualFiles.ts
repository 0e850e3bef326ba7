import ignore, { type Ignore } from 'ignore';
import { Minimatch } from 'minimatch';
import type * as vscode from 'vscode';
import { throwIfCancelled, unlessUserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/clock.ts';
import { inParallel, inSlices } from '../../util/queues.ts';

/** Files of a folder that `files.exclude` and `search.exclude` exclude. */
export class Excludes {
  /** Unconditional globs. */
  readonly globs: readonly string[];
  readonly #conditional: readonly { glob: Minimatch; when: string }[];
  #matchers: readonly Minimatch[] | undefined;

  /** Like VS Code's own search: `search.exclude` overrides `files.exclude` for the same glob, also with `false`. */
  constructor({ getConfiguration }: typeof vscode.workspace, folder: vscode.Uri) {
    const read = (section: string) =>
      getConfiguration(section, folder).get<Record<string, unknown>>('exclude', {});
    const entries = Object.entries({ ...read('files'), ...read('search') });
    this.globs = entries.filter(([, value]) => value === true).map(([glob]) => glob);
    this.#conditional = entries
      .map(([glob, value]) => ({ glob: compiled(glob), when: (value as { when?: unknown } | null)?.when }))
      .filter((entry): entry is { glob: Minimatch; when: string } => typeof entry.when === 'string');
  }

  /** Whether there are globs with a `when` condition. */
  get hasConditions(): boolean {
    return this.#conditional.length > 0;
  }

  /** Whether a file is excluded because of a sibling, as in `{"**\/*.js": {"when": "$(basename).ts"}}`. */
  bySibling(path: string, exists: (path: string) => boolean): boolean {
    return this.#conditional.some(({ glob, when }) => glob.match(path) && exists(siblingOf(path, when)));
  }

  /** Whether an unconditional glob excludes a file or folder, or a folder above it. */
  byName(path: string): boolean {
    this.#matchers ??= this.globs.flatMap((glob) => [glob, `${glob}/**`]).map(compiled);
    return this.#matchers.some((one) => one.match(path));
  }
}

const compiled = (glob: string): Minimatch =>
  new Minimatch(glob, { dot: true, nocomment: true, nonegate: true });

function siblingOf(path: string, when: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  const dot = name.lastIndexOf('.');
  return path.slice(0, slash) + when.replace('$(basename)', () => (dot > 0 ? name.slice(0, dot) : name));
}

const AT_ONCE = 16;
/** Largest `.gitignore` that is used, in bytes. */
const LARGEST_RULES = 1024 * 1024;
/** How long to wait for a `.gitignore`, in milliseconds; after that it is skipped. */
const RULES_TIMEOUT_MS = 5_000;

/** A folder of a virtual file system, or one on the disk if VS Code has no ripgrep. */
interface VirtualFolder {
  vscode: typeof vscode;
  uri: vscode.Uri;
  excludes: Excludes;
}

interface Directory {
  /** Path in the folder, with a slash at the end, or `''`. */
  path: string;
  /** Rules of the directories above. */
  above: Rules;
}

/**
 * Paths of all files in a folder, unordered. `findFiles` works only if the file system's extension may use a proposed API, so
 * this reads the directories, except ignored ones.
 *
 * @throws CancelledError, UserError
 */
export async function virtualFiles(folder: VirtualFolder, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for (let level: Directory[] = [{ path: '', above: [] }]; level.length > 0; ) {
    const all = await inParallel(level, AT_ONCE, (directory) => readListed(folder, directory, signal));
    for (const { files } of all) for (const path of files) paths.push(path);
    level = all.flatMap(({ directories }) => directories);
  }
  return paths;
}

/** The direct children of a directory, without links. */
async function readListed(folder: VirtualFolder, { path, above }: Directory, signal: AbortSignal) {
  const { File, Directory } = folder.vscode.FileType;
  throwIfCancelled(signal);
  const entries = await readEntries(folder, path);
  const hasRules = entries.some(([name, type]) => name === '.gitignore' && type & File);
  const rules = hasRules ? withRules(above, path, await readRules(folder, `${path}.gitignore`)) : above;
  const files: string[] = [];
  const directories: Directory[] = [];
  const add = ([name, type]: [string, vscode.FileType]) => {
    const inside = path + name;
    if (type !== File && type !== Directory) return;
    if (name === '.git' || folder.excludes.byName(inside)) return;
    if (isIgnored(rules, inside, type === Directory)) return;
    if (type === File) files.push(inside);
    else directories.push({ path: `${inside}/`, above: rules });
  };
  await inSlices(entries, add, signal);
  return { files, directories };
}

/** Empty if the directory was deleted or cannot be read. @throws UserError if it takes too long */
async function readEntries({ vscode, uri }: VirtualFolder, path: string) {
  const directory = vscode.Uri.joinPath(uri, path);
  const reading = withDeadline(vscode.workspace.fs.readDirectory(directory), `listing ${directory.path}`);
  return reading.catch(unlessUserError(() => []));
}

/** The saved text. Empty if the file cannot be read or is too large. */
async function readRules({ vscode, uri }: VirtualFolder, path: string): Promise<string> {
  const file = vscode.Uri.joinPath(uri, path);
  const read = async () => {
    if ((await vscode.workspace.fs.stat(file)).size > LARGEST_RULES) return '';
    const bytes = await vscode.workspace.fs.readFile(file);
    return bytes.byteLength > LARGEST_RULES ? '' : new TextDecoder().decode(bytes);
  };
  return withDeadline(read(), `reading ${path}`, RULES_TIMEOUT_MS).catch(() => '');
}

/** Limits for rules per file, their length, and their wildcards: a hostile rule must not block the editor. */
const MOST_RULES = 10_000;
const LONGEST_RULE = 1_000;
const MOST_WILDCARDS = 6;

/** Rules of the `.gitignore` files of a directory and its ancestors, deepest first. */
export type Rules = readonly { directory: string; rules: Ignore }[];

/** @param directory path of the `.gitignore`'s directory, with a slash at the end, or `''` */
export function withRules(above: Rules, directory: string, text: string): Rules {
  const lines = text.split(/\r?\n/).filter(isHarmless);
  if (lines.length > MOST_RULES) return above;
  return [{ directory, rules: ignore({ ignorecase: false }).add(lines) }, ...above];
}

/** Assumes that no directory above is ignored: callers do not enter ignored directories. */
export function isIgnored(all: Rules, path: string, isFolder: boolean): boolean {
  for (const { directory, rules } of all) {
    const { ignored, unignored } = rules.test(`${path.slice(directory.length)}${isFolder ? '/' : ''}`);
    if (ignored || unignored) return ignored;
  }
  return false;
}

const isHarmless = (line: string): boolean =>
  line !== '' && line.length <= LONGEST_RULE && (line.match(/\*+/g)?.length ?? 0) <= MOST_WILDCARDS;
