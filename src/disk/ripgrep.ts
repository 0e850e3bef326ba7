import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { braceExpand } from 'minimatch';
import { CancelledError, UserError } from '../core/errors.ts';
import { Splitter } from '../core/text/lines.ts';
import { entryNamesIn, readIfThere, repositoryOf } from '../util/diskPaths.ts';
import { literalGlob } from '../util/glob.ts';

/**
 * Path of VS Code's own ripgrep. The stable API has no text search, and its file search does not honour `.gitignore`.
 *
 * @param appRoot `vscode.env.appRoot`
 * @returns undefined in a build without it
 */
export function findRipgrep(appRoot: string): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const { platform, arch } = process;
  return [
    join('@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
    join('@vscode', `ripgrep-${platform}-${arch}`, 'bin', name),
    join('@vscode', 'ripgrep', 'bin', name),
  ]
    .flatMap((path) => [
      join(appRoot, 'node_modules', path),
      join(appRoot, 'node_modules.asar.unpacked', path),
    ])
    .find((path) => existsSync(path));
}

/** Longest piece that is passed on whole, in UTF-16 units; of a longer one (a hit in a dump) only the beginning is. */
const MAX_PIECE = 4 * 1024 * 1024;

export interface RipgrepRun {
  executable: string;
  args: readonly string[];
  cwd: string;
  stdin?: string;
  signal: AbortSignal;
  /** Called with each piece that ends with the separator. */
  onPiece(piece: string, isCut: boolean): void;
  /** Called after some pieces; ripgrep waits for it. False stops the run. */
  beforeMore?(): Promise<boolean>;
  separator: '\n' | '\0';
}

/** Runs ripgrep. @throws UserError with ripgrep's message if it rejects the arguments; CancelledError */
export async function runRipgrep(run: RipgrepRun): Promise<void> {
  const { stdin, signal } = run;
  const child = started(run);
  const ended = endOf(child);
  child.stdin.on('error', () => {}); // ripgrep stopped reading; its exit code says why
  child.stdin.end(stdin);
  let failure: unknown;
  const isDone = await readAll(child.stdout, run).catch((error) => {
    failure = error;
    return false;
  });
  if (!isDone) child.kill();
  const { code, complaint, error = failure } = await ended;
  if (error) throw signal.aborted ? new CancelledError('The search was cancelled.') : error;
  // 1: nothing found; 2: an error, or some files could not be read
  if (!isDone || code === 0 || code === 1 || (code === 2 && complaint === '')) return;
  if (complaint === '') throw new Error(`ripgrep ended with ${code ?? child.signalCode}`);
  throw new UserError(`ripgrep failed: ${complaint.trim()}`, { lines: true });
}

/** False if `beforeMore` stopped the run. */
async function readAll(output: Readable, { separator, onPiece, beforeMore }: RipgrepRun): Promise<boolean> {
  const splitter = new Splitter(
    separator,
    MAX_PIECE,
    (piece) => onPiece(piece, false),
    (beginning) => onPiece(beginning, true),
  );
  for await (const chunk of output.setEncoding('utf8')) {
    splitter.push(chunk);
    if ((await beforeMore?.()) === false) return false;
  }
  return true;
}

function endOf(
  child: ChildProcessWithoutNullStreams,
): Promise<{ code?: number | null; complaint: string; error?: Error }> {
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (complaint.length < 2000) complaint += chunk;
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ complaint, error }));
    child.on('close', (code) => resolve({ code, complaint }));
  });
}

/** Arguments that are too long for a command line are the caller's error. @throws UserError */
function started({ executable, args, cwd, signal }: RipgrepRun): ChildProcessWithoutNullStreams {
  try {
    return spawn(executable, args, { cwd, signal, windowsHide: true });
  } catch (error) {
    if (!/^(E2BIG|ENAMETOOLONG)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new UserError('The query and globs are too long to search. Shorten them.');
  }
}

/**
 * Arguments that select the files, for listing and searching: honour `.gitignore` and `files.exclude`, include hidden files.
 *
 * @param excludes globs of `files.exclude`
 */
export const scopeArguments = (folder: string, excludes: readonly string[]): string[] => [
  '--no-config',
  '--hidden',
  '--no-ignore-global',
  // In a repository, ignore files apply as in Git: also those above the folder, up to the repository's root.
  // Elsewhere only those in the folder apply.
  ...(repositoryOf(folder) ? [] : ['--no-require-git', '--no-ignore-parent']),
  ...['**/.git', ...worktreesIn(folder), ...excludes.flatMap((glob) => braceExpand(glob))].flatMap((glob) => [
    '--glob',
    `!${anchored(glob)}`,
  ]),
];

/** Other checkouts of the folder's repository that are in it, as globs: each has the same files (gitrepository-layout, worktrees). */
function worktreesIn(folder: string): string[] {
  const names = entryNamesIn(join(folder, '.git', 'worktrees'));
  return names.flatMap((name) => {
    const top = dirname(`${readIfThere(join(folder, '.git', 'worktrees', name, 'gitdir')) ?? ''}`.trim());
    const path = relative(folder, top).split(sep).join('/');
    return path === '' || path.startsWith('..') || isAbsolute(path) ? [] : [`/${literalGlob(path)}`];
  });
}

/** In `files.exclude` a glob without a slash matches only at the top level; in ripgrep at any depth. */
const anchored = (glob: string): string =>
  glob.startsWith('**') || glob.startsWith('/') ? glob : `/${glob}`;
