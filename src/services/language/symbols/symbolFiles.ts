import type * as vscode from 'vscode';
import { ifUserError } from '../../../core/messages.ts';
import { bareName, lastName } from '../../../core/symbolPaths.ts';
import { inParallel } from '../../../util/turns.ts';
import type { Files } from '../../../workspace/files.ts';
import type { FileList } from '../../../workspace/list/fileList.ts';
import { familyOf, languagesIn } from '../languages.ts';
import type { LanguageScope } from '../providers.ts';
import type { Target } from './candidates.ts';
import { type Outline, outlineOf } from './outline.ts';

/** Files that are asked for their symbols, at most: each is loaded. */
const MOST_OUTLINED = 30;
const AT_ONCE = 8;
/** Longest name that is searched, in UTF-16 units. */
const LONGEST = 1_000;

/** A line that seems to declare something. */
const DECLARES =
  /\b(class|const|def|define|enum|fn|func|function|impl|interface|let|module|namespace|record|struct|trait|type|val|var)\b/;

interface Named {
  outlines: readonly Outline[];
  /** Files beyond the limit. Closed files are not counted: that would tell which names they have. */
  leftOut: number;
}

/**
 * The outlines of the files that may define a name, or with `isPart` a name that contains it. The servers' workspace symbols say
 * which; they are those of loaded projects, so if there are none, the files with the text do. @throws UserError, CancelledError
 */
export async function outlinesNaming(
  name: string,
  isPart: boolean,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Named> {
  const { files, providers } = scope;
  const found = await providers.run<vscode.SymbolInformation>('workspace symbols', signal, name);
  const fits = (one: string) =>
    isPart
      ? one.toLowerCase().includes(name.toLowerCase())
      : [one, bareName(one), bareName(lastName(one))].includes(name);
  const same = found.filter((symbol) => fits(symbol.name)).sort((a, b) => a.name.length - b.name.length);
  const byFile = [...Map.groupBy(same, ({ location: { uri } }) => `${uri}`).values()];
  // Names are compared as the agent may see them too, or it could guess them.
  const located = await inParallel(byFile.slice(0, MOST_OUTLINED), AT_ONCE, async (symbols) => {
    const location = symbols[0] && (await files.permitted(symbols[0].location.uri));
    const redacted = location && (await files.redactor.redactedText(location));
    const isShown = symbols.some((one) => fits(redacted?.named(one.name, one.location.range) ?? one.name));
    return isShown ? location : undefined;
  });
  const known = located.filter((location) => location !== undefined);
  const locations = known.length > 0 ? known : await filesWith(name, isPart, scope, signal);
  // A file that cannot be loaded does not end the search in others.
  const outlines = await inParallel(locations, AT_ONCE, (one) =>
    outlineOf(one, scope, signal).catch(ifUserError(undefined)),
  );
  return {
    outlines: outlines.filter((outline) => outline !== undefined),
    leftOut: byFile.length - located.length,
  };
}

/** The files whose text, unsaved included, contains a name; those that seem to declare it first. */
async function filesWith(query: string, isPart: boolean, { files }: LanguageScope, signal: AbortSignal) {
  if (!query || query.length > LONGEST || query.includes('\0')) return [];
  const how = { isRegex: false, caseSensitive: !isPart, wholeWord: !isPart, contextLines: 0 };
  const lines = await files.search({ query, ...how, include: [], exclude: [] }, signal);
  const declaring = lines.filter(({ text }) => DECLARES.test(text));
  const paths = [...new Set([...declaring, ...lines].map(({ path }) => path))].slice(0, MOST_OUTLINED);
  const located = await Promise.allSettled(paths.map((path) => files.locateShown(path)));
  return located.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** The end of a symbol's name path that can be searched as one word; undefined if it is no identifier. */
export const wordOf = (path: string): string | undefined =>
  /[\p{L}_$][\p{L}\p{N}_$]{0,200}$/u.exec(bareName(lastName(path)))?.[0];

/** The lines of some files with the end of a symbol's name path as a word. @throws UserError, CancelledError */
async function linesWithWord(path: string, include: string[], { files }: LanguageScope, signal: AbortSignal) {
  const query = wordOf(path);
  if (query === undefined || include.length === 0) return [];
  const how = { isRegex: false, caseSensitive: true, wholeWord: true, contextLines: 0, exclude: [] };
  return (await files.search({ query, ...how, include }, signal)).filter(({ hit }) => hit);
}

/** The same of the files of its language. */
export const linesNaming = ({ name, document }: Target, scope: LanguageScope, signal: AbortSignal) =>
  linesWithWord(name, languagesIn(scope.vscode).globs(familyOf(document.languageId)), scope, signal);

/** Projects that are loaded for one name, at most: each takes the server some time and memory. */
const MOST_PROJECTS = 20;
export const LOADED_AT_ONCE = 4;
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
  const roots = wordOf(path) === undefined ? [] : await rootsOf(scope.files, signal);
  if (roots.length < 2) return;
  const hits = await linesWithWord(path, SOURCES, scope, signal);
  const paths = [...new Set(hits.map((hit) => hit.path))];
  const byRoot = Map.groupBy(paths, (one) => roots.find((root) => one.startsWith(root)));
  const firsts = [...byRoot.values()].slice(0, MOST_PROJECTS).map(([first = '']) => first);
  await inParallel(firsts, LOADED_AT_ONCE, (one) => loadFile(one, scope, signal));
}

/**
 * Has a server load a file, as an editor would, but without one: VS Code drops the text after some minutes.
 *
 * @param path as results show it
 * @throws CancelledError
 */
export async function loadFile(
  path: string,
  { files, providers }: LanguageScope,
  signal: AbortSignal,
): Promise<vscode.TextDocument | undefined> {
  const location = await files.locateShown(path).catch(ifUserError(undefined));
  const document = location && (await files.loadDocument(location).catch(ifUserError(undefined)));
  if (document) await providers.start(document, signal).catch(ifUserError(undefined));
  return document;
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
