import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { UserError } from '../protocol/errors.ts';
import { globMatcher } from '../util/glob.ts';
import { readExcludes } from './excludes.ts';
import type { Listing } from './listing.ts';
import { displayPath, type Locator, slashed } from './locate.ts';
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
/** Text of all lines, in UTF-16 units, after which it does too. */
const MOST_TEXT = 64 * 1024 * 1024;

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
  // To ripgrep a glob that includes outweighs every ignore file.
  const listed = query.include.length > 0 ? await keysOf(listing) : undefined;
  const hits = new Hits();
  for (const folder of locator.vscode.workspace.workspaceFolders ?? []) {
    const cwd = folder.uri.fsPath;
    if (folder.uri.scheme !== 'file' || !existsSync(cwd)) continue;
    const { globs, bySibling } = readExcludes(locator.vscode.workspace, folder.uri);
    const args = [
      ...scopeArguments(cwd, globs),
      ...matching(query),
      ...globsOf(query),
      '--',
      query.query,
      '.',
    ];
    const shown = (path: string): string | undefined => {
      const uri = locator.vscode.Uri.joinPath(folder.uri, path);
      const key = uri.toString();
      const isOurs =
        locator.vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.uri.toString();
      if (!isOurs || unsaved.has(key) || (listed && !listed.has(key))) return undefined;
      if (bySibling(path, (sibling) => existsSync(join(cwd, sibling)))) return undefined;
      return locator.policy.mayList(uri.fsPath) ? displayPath(locator, uri) : undefined;
    };
    const onPiece = collector(hits, shown);
    await runRipgrep({ executable, args, cwd, separator: '\n', signal, onPiece });
  }
  for (const { uri, text } of unsaved.values()) {
    const shown = () => (locator.policy.mayList(uri.fsPath) ? displayPath(locator, uri) : undefined);
    const args = ['--no-config', ...matching(query), '--', query.query, '-'];
    const onPiece = collector(hits, shown);
    await runRipgrep({ executable, args, cwd: tmpdir(), stdin: text, separator: '\n', signal, onPiece });
  }
  return hits.lines.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

const keysOf = async (listing: Listing): Promise<ReadonlySet<string>> =>
  new Set((await listing.files()).map(({ key }) => key));

/** What has been found so far, up to a limit. */
class Hits {
  readonly lines: SearchLine[] = [];
  #count = 0;
  #length = 0;

  get isFull(): boolean {
    return this.#count >= MOST_HITS || this.#length >= MOST_TEXT;
  }

  add(line: SearchLine): void {
    this.lines.push(line);
    this.#length += line.text.length;
    if (line.hit) this.#count++;
  }
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

/** What is not UTF-8 comes as bytes in base64. */
type RipgrepText = { text: string } | { bytes: string };

interface RipgrepEvent {
  type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  data: { path?: RipgrepText; lines?: RipgrepText; line_number?: number };
}

/**
 * Takes ripgrep's events, one JSON object a line; false after too many hits.
 *
 * @param shown how a file is named in the results, undefined where it is none of them
 */
function collector(hits: Hits, shown: (path: string) => string | undefined): (piece: string) => boolean {
  let path: string | undefined;
  return (piece) => {
    const { type, data } = JSON.parse(piece) as RipgrepEvent;
    if (type === 'begin')
      path =
        data.path && 'text' in data.path ? shown(slashed(data.path.text).replace(/^\.\//, '')) : undefined;
    const { lines, line_number: line } = data;
    if ((type !== 'match' && type !== 'context') || !path || !lines || line === undefined) return true;
    const text = 'text' in lines ? lines.text : Buffer.from(lines.bytes, 'base64').toString('latin1');
    hits.add({ path, line, text: text.replace(/\r?\n$/, ''), hit: type === 'match' });
    return !hits.isFull;
  };
}

/** Open documents with unsaved text that the search would have looked at on the disk. */
async function unsavedDocuments({ vscode }: Locator, listing: Listing, { include, exclude }: SearchQuery) {
  const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isUntitled);
  const found = new Map<string, { uri: vscode.Uri; text: string }>();
  if (dirty.length === 0) return found;
  const listed = await keysOf(listing);
  const included = include.map(globMatcher);
  const excluded = exclude.map(globMatcher);
  for (const document of dirty) {
    const { uri } = document;
    const path = vscode.workspace.asRelativePath(uri, false);
    const any = (matchers: readonly ((path: string) => boolean)[]) =>
      matchers.some((matches) => matches(path));
    const fits = listed.has(uri.toString()) && (include.length === 0 || any(included)) && !any(excluded);
    if (fits) found.set(uri.toString(), { uri, text: document.getText() });
  }
  return found;
}
