import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { braceExpand } from 'minimatch';
import { CancelledError, UserError } from '../core/errors.ts';
import { Splitter } from '../util/splitter.ts';

/**
 * The ripgrep that VS Code searches with. The stable API has no text search, and its file search does not honour
 * `.gitignore`.
 *
 * @param appRoot `vscode.env.appRoot`
 * @returns undefined in a build that brings none
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

/** Longest piece that is handed on whole, in UTF-16 units: of a longer one (a hit in a dump) only the beginning is. */
const MAX_PIECE = 4 * 1024 * 1024;

export interface RipgrepRun {
  executable: string;
  args: readonly string[];
  cwd: string;
  /** Text to search instead of files. */
  stdin?: string;
  signal: AbortSignal;
  /** Called with each piece that ends with the separator. */
  onPiece(piece: string, isCut: boolean): void;
  /** Called after some pieces; ripgrep waits for it. False stops the run. */
  beforeMore?(): Promise<boolean>;
  separator: '\n' | '\0';
}

/** Runs ripgrep to its end. @throws UserError with its own words where it refuses its arguments; CancelledError */
export async function runRipgrep(run: RipgrepRun): Promise<void> {
  const { executable, args, cwd, stdin, signal } = run;
  const child = started(() => spawn(executable, args, { cwd, signal, windowsHide: true }));
  const ended = endOf(child);
  child.stdin.on('error', () => {}); // it stopped reading: its exit code says why
  child.stdin.end(stdin);
  let failure: unknown;
  const isDone = await readAll(child.stdout, run).catch((error) => {
    failure = error;
    return false;
  });
  if (!isDone) child.kill();
  const { code, complaint, error = failure } = await ended;
  if (error) throw signal.aborted ? new CancelledError('The search was cancelled.') : error;
  // 1: nothing found; 2: an error, or some file could not be read though others could
  if (!isDone || code === 0 || code === 1 || (code === 2 && complaint === '')) return;
  if (complaint === '') throw new Error(`ripgrep ended with ${code ?? child.signalCode}`);
  throw new UserError(`The search cannot be run: ${complaint.trim()}`, { lines: true });
}

/** False where more was not wanted. */
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

/** What a command line cannot hold is the caller's mistake. */
function started<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    if (!/^(E2BIG|ENAMETOOLONG)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new UserError(
      'The search cannot be run: its text and globs are too long. Search for less at once.',
    );
  }
}

/**
 * Arguments that say which files count, the same for listing and searching: `.gitignore` everywhere, hidden files too,
 * and what `files.exclude` leaves out.
 *
 * @param excludes globs of `files.exclude`
 */
export const scopeArguments = (folder: string, excludes: readonly string[]): string[] => [
  '--no-config',
  '--hidden',
  '--no-ignore-global',
  // In a repository ignore files count as Git takes them, those above the folder too, up to the repository's root.
  // Elsewhere those in the folder count, and what lies above is none of its business.
  ...(isInRepository(folder) ? [] : ['--no-require-git', '--no-ignore-parent']),
  ...['**/.git', ...excludes.flatMap((glob) => braceExpand(glob))].flatMap((glob) => [
    '--glob',
    `!${anchored(glob)}`,
  ]),
];

/** `files.exclude` means a glob without a slash at the top level; ripgrep would take it at any depth. */
const anchored = (glob: string): string =>
  glob.startsWith('**') || glob.startsWith('/') ? glob : `/${glob}`;

function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}
