/** TypeScript's projects: its server knows those that have an open file, and leaves out what is in others. */
import { ifUserError, throwIfCancelled } from '../../../core/errors.ts';
import { type FilesArguments, NOT_LOADED, TSSERVER_REQUEST } from '../../../tsserver/commands.ts';
import { unlessAborted } from '../../../util/clock.ts';
import type { SearchLine } from '../../../workspace/search/ripgrepSearch.ts';
import type { LanguageScope } from '../providers.ts';
import { LoadingTime } from './loadingTime.ts';
import { linesWithWord, loadFile, SOURCES, wordOf } from './symbolFiles.ts';

/** How long projects are loaded for one answer, in milliseconds. */
const LOADING = 20_000;

/** What is known once there was time to load. */
interface Loaded {
  /** Lines in files that are in no loaded project. */
  left: SearchLine[];
  isLoaded: boolean;
}

/** Loads the projects whose files contain a name. @param path a symbol's name path @throws UserError, CancelledError */
export const loadNaming = async (path: string, scope: LanguageScope, signal: AbortSignal): Promise<Loaded> =>
  loadProjects(await linesWithWord([wordOf(path)], SOURCES, scope, signal), '', scope, signal);

/**
 * Loads the projects of the files of some lines, the nearest first, as far as there is time.
 *
 * @param near a path
 * @throws CancelledError
 */
export async function loadProjects(
  lines: readonly SearchLine[],
  near: string,
  scope: LanguageScope,
  signal: AbortSignal,
  loading = new LoadingTime(LOADING),
): Promise<Loaded> {
  let left = byNearness([...new Set(lines.map(({ path }) => path))], near);
  const tried = new Set<string>();
  await loading.take(signal, async (limit) => {
    while (left.length > 0) {
      const asked = left.filter((one) => !tried.has(one));
      const unknown = await unlessAborted(notLoaded(asked, scope), limit);
      if (!unknown) return;
      left = unknown;
      const [next] = left;
      if (next) await loadFile(next, scope, limit).catch(() => {});
      if (limit.aborted) return;
      if (next) tried.add(next);
    }
  });
  throwIfCancelled(signal);
  const rest = new Set(left);
  return { left: lines.filter(({ path }) => rest.has(path)), isLoaded: tried.size > 0 };
}

/** Paths in no project that the server has loaded; without our plugin in it, paths that are not open. */
async function notLoaded(paths: readonly string[], { files, vscode }: LanguageScope): Promise<string[]> {
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => files.displayPath(uri)));
  const closed = paths.filter((path) => !open.has(path));
  if (closed.length === 0) return [];
  const located = await Promise.all(
    closed.map((path) => files.locateShown(path).catch(ifUserError(undefined))),
  );
  const byFile = new Map(located.flatMap((one) => (one ? [[one.uri.fsPath, one.path] as const] : [])));
  const asked: FilesArguments = { files: [...byFile.keys()] };
  const answer = await Promise.resolve(
    vscode.commands.executeCommand<{ body?: string[] }>(TSSERVER_REQUEST, NOT_LOADED, asked),
  ).catch(() => undefined);
  return answer?.body?.flatMap((file) => byFile.get(file) ?? []) ?? [...byFile.values()];
}

/** The longest common beginning first. */
export function byNearness(paths: readonly string[], near: string): string[] {
  const own = near.split('/');
  const common = (path: string) => {
    const parts = path.split('/');
    const end = parts.findIndex((part, index) => part !== own[index]);
    return end < 0 ? parts.length : end;
  };
  return [...paths].sort((a, b) => common(b) - common(a));
}
