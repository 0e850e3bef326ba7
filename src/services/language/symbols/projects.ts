import { ifUserError } from '../../../core/errors.ts';
import { lastName } from '../../../core/symbolPaths.ts';
import { inParallel } from '../../../util/inParallel.ts';
import type { Files } from '../../../workspace/files.ts';
import type { FileList } from '../../../workspace/list/fileList.ts';
import type { LanguageScope } from '../providers.ts';

/** Projects that are loaded for one name, at most: each takes the server some time and memory. */
const MOST_PROJECTS = 20;
const AT_ONCE = 4;
const CONFIG = /\/[jt]sconfig\.json$/;
const SOURCES = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'];

const known = new WeakMap<FileList, readonly string[]>();

/**
 * Loads one file of each TypeScript or JavaScript project whose files contain a name: the server knows only projects with an open
 * file, and would leave out the uses in others.
 *
 * @param path a symbol's name path
 * @throws CancelledError
 */
export async function loadProjects(path: string, scope: LanguageScope, signal: AbortSignal): Promise<void> {
  const { files, providers } = scope;
  // What can be searched as one word, and is a name in JavaScript.
  const [query] = /[\p{L}_$][\p{L}\p{N}_$]{0,200}$/u.exec(lastName(path)) ?? [];
  const roots = query === undefined ? [] : await rootsOf(files, signal);
  if (query === undefined || roots.length < 2) return;
  const how = { isRegex: false, caseSensitive: true, wholeWord: true, contextLines: 0 };
  const hits = await files.search({ query, ...how, include: SOURCES, exclude: [] }, signal);
  const paths = [...new Set(hits.map((hit) => hit.path))];
  const byRoot = Map.groupBy(paths, (one) => roots.find((root) => one.startsWith(root)));
  await inParallel([...byRoot.values()].slice(0, MOST_PROJECTS), AT_ONCE, async ([first = '']) => {
    const location = await files.locateShown(first).catch(ifUserError(undefined));
    if (!location) return;
    const document = await files.loadDocument(location).catch(ifUserError(undefined));
    if (document) await providers.start(document, signal).catch(ifUserError(undefined));
  });
}

/** The folders of projects, the innermost first, with a slash at the end. */
async function rootsOf(files: Files, signal: AbortSignal): Promise<readonly string[]> {
  const list = await files.list(signal);
  const last = known.get(list);
  if (last) return last;
  const configs = [...list.from('', ({ key }) => CONFIG.test(key))];
  const roots = configs.map(({ path }) => path.replace(/[^/]+$/, '')).sort((a, b) => b.length - a.length);
  known.set(list, roots);
  return roots;
}
