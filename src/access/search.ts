import { Minimatch } from 'minimatch';
import type * as vscode from 'vscode';
import { UserError } from '../protocol/errors.ts';
import { readExcludes } from './excludes.ts';
import type { Listing } from './listing.ts';
import { displayPath, type Locator } from './locate.ts';
import { findRipgrep, runRipgrep, scopeArguments } from './ripgrep.ts';

export interface SearchQuery {
  query: string;
  isRegex: boolean;
  caseSensitive: boolean;
  wholeWord: boolean;
  /** Globs relative to a folder. */
  include: readonly string[];
  exclude: readonly string[];
  /** Lines shown before and after a hit. */
  contextLines: number;
}

/** One line of a result; `hit` is false for a line of context. */
export interface SearchLine {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
  hit: boolean;
}

/** Hits after which a search stops counting. */
export const MOST_HITS = 10_000;

/**
 * Searches the text of all folders' files as the person sees it: unsaved text instead of what lies on the disk.
 *
 * @throws UserError where the expression is none, CancelledError
 */
export async function searchText(
  locator: Locator,
  listing: Listing,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchLine[]> {
  const executable = findRipgrep(locator.vscode.env.appRoot);
  if (!executable) throw new UserError('This build of VS Code brings no ripgrep, which text search needs.');
  const unsaved = await unsavedDocuments(locator, listing, query);
  const lines: SearchLine[] = [];
  for (const folder of locator.vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue;
    const collect = collector(
      locator,
      lines,
      (path) => locator.vscode.Uri.joinPath(folder.uri, path),
      unsaved,
    );
    const { globs } = readExcludes(locator.vscode.workspace, folder.uri);
    const args = [
      ...scopeArguments(folder.uri.fsPath, globs),
      ...matching(query),
      ...globsOf(query),
      '--',
      query.query,
      '.',
    ];
    await runRipgrep({ executable, args, cwd: folder.uri.fsPath, separator: '\n', signal, onPiece: collect });
  }
  for (const document of unsaved.values()) {
    const collect = collector(locator, lines, () => document.uri, undefined);
    const args = ['--no-config', ...matching(query), '--', query.query, '-'];
    const stdin = document.getText();
    await runRipgrep({
      executable,
      args,
      cwd: process.cwd(),
      stdin,
      separator: '\n',
      signal,
      onPiece: collect,
    });
  }
  return lines.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

const matching = ({ isRegex, caseSensitive, wholeWord, contextLines }: SearchQuery): string[] => [
  '--json',
  '--no-messages',
  '--crlf',
  ...(isRegex ? [] : ['--fixed-strings']),
  caseSensitive ? '--case-sensitive' : '--ignore-case',
  ...(wholeWord ? ['--word-regexp'] : []),
  ...(contextLines > 0 ? [`--context=${contextLines}`] : []),
];

const globsOf = ({ include, exclude }: SearchQuery): string[] => [
  ...include.flatMap((glob) => ['--glob', glob]),
  ...exclude.flatMap((glob) => ['--glob', `!${glob}`]),
];

interface RipgrepEvent {
  type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  data: { path?: { text?: string }; lines?: { text?: string }; line_number?: number };
}

/** Takes ripgrep's events, one JSON object a line; false after too many hits. */
function collector(
  { vscode, policy }: Locator,
  lines: SearchLine[],
  uriOf: (path: string) => vscode.Uri,
  instead: ReadonlyMap<string, vscode.TextDocument> | undefined,
): (piece: string) => boolean {
  let path: string | undefined;
  return (piece) => {
    const { type, data } = JSON.parse(piece) as RipgrepEvent;
    if (type === 'begin') {
      const uri = data.path?.text === undefined ? undefined : uriOf(data.path.text.replaceAll('\\', '/'));
      const shown = uri && !instead?.has(uri.toString()) && policy.mayList(uri.fsPath);
      path = shown ? displayPath({ vscode }, uri) : undefined;
    }
    if ((type !== 'match' && type !== 'context') || path === undefined || data.line_number === undefined)
      return true;
    const text = (data.lines?.text ?? '(not UTF-8)').replace(/\r?\n$/, '');
    lines.push({ path, line: data.line_number, text, hit: type === 'match' });
    return lines.length < MOST_HITS;
  };
}

/** Open documents with unsaved text that the search would have looked at on the disk. */
async function unsavedDocuments({ vscode }: Locator, listing: Listing, { include, exclude }: SearchQuery) {
  const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isUntitled);
  if (dirty.length === 0) return new Map<string, vscode.TextDocument>();
  const listed = new Set((await listing.files()).map(({ key }) => key));
  const fits = ({ uri }: vscode.TextDocument) => {
    const path = vscode.workspace.asRelativePath(uri, false);
    const any = (globs: readonly string[]) => globs.some((glob) => matchesGlob(glob, path));
    return listed.has(uri.toString()) && (include.length === 0 || any(include)) && !any(exclude);
  };
  return new Map(dirty.filter(fits).map((document) => [document.uri.toString(), document]));
}

/** As ripgrep takes a glob: one without a slash fits at any depth, and a folder's name all that is in it. */
function matchesGlob(glob: string, path: string): boolean {
  const anywhere = glob.replace(/^\//, '').includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  return [anywhere, `${anywhere}/**`].some((pattern) => new Minimatch(pattern, { dot: true }).match(path));
}
