import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { UserError } from '../protocol/errors.ts';
import { globMatchers } from '../util/glob.ts';
import { readExcludes } from './excludes.ts';
import { judgedHits } from './judgedHits.ts';
import type { Listing } from './listing.ts';
import { type Locator, locateUri } from './locate.ts';
import { displayPath, slashed } from './naming.ts';
import { RedactedHits, type Redacting } from './redactedHits.ts';
import { findRipgrep, runRipgrep, scopeArguments } from './ripgrep.ts';
import { type RipgrepEvent, type SearchLine, SearchLines } from './searchLines.ts';
import { policyPath } from './world.ts';

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
  const redaction = locator.world.redaction();
  redaction.require();
  const unsaved = await unsavedDocuments(locator, listing, query, signal);
  // To ripgrep a glob that includes outweighs every ignore file.
  const listed = query.include.length > 0 ? await listing.files(signal) : undefined;
  const hits = new SearchLines();
  const sources = new Map<string, vscode.Uri>();
  for (const folder of locator.vscode.workspace.workspaceFolders ?? []) {
    const cwd = folder.uri.fsPath;
    if (folder.uri.scheme !== 'file' || !existsSync(cwd)) continue;
    const { globs, bySibling } = readExcludes(locator.vscode.workspace, folder.uri);
    const args = [
      ...scopeArguments(cwd, globs),
      ...matching(query),
      ...globsOf(query, folder),
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
      if (!locator.policy.mayList(uri.fsPath)) return undefined;
      const name = displayPath(locator, uri);
      sources.set(name, uri);
      return name;
    };
    const onPiece = hits.collector((path) => shown(slashed(path).replace(/^\.\//, '')));
    await runRipgrep({ executable, args, cwd, separator: '\n', signal, onPiece });
  }
  const texts = new Map<string, string>();
  for (const { uri, text } of unsaved.values()) {
    const name = displayPath(locator, uri);
    texts.set(name, text);
    const onPiece = hits.collector(() => name);
    await inText({ executable, query, text, signal, onPiece });
  }
  const how = { redaction, ...query, isMultiline: isMultiline(query) };
  const match: Redacting['match'] = (lines) => inLines({ executable, query, lines, signal });
  const redacted = redaction.isOff ? undefined : new RedactedHits(locator, { ...how, match });
  return (await judgedHits(locator, hits.found, sources, texts, redacted)).sort(byPlace);
}

interface Asked {
  executable: string;
  query: SearchQuery;
  signal: AbortSignal;
}

/** Searches a text that is on no disk. */
function inText({
  query,
  text,
  ...run
}: Asked & { text: string; onPiece(piece: string, isCut: boolean): boolean }): Promise<void> {
  const args = ['--no-config', ...matching(query), '--', query.query, '-'];
  return runRipgrep({ ...run, args, cwd: tmpdir(), stdin: text, separator: '\n' });
}

/** Where a query matches lines, by their indices; ones too long to report on are none. */
async function inLines({
  query,
  lines,
  ...run
}: Asked & { lines: readonly string[] }): ReturnType<Redacting['match']> {
  const found = new Map<number, { start: number; end: number }[]>();
  const onPiece = (piece: string, isCut: boolean) => {
    const { type, data } = isCut ? { type: 'end' } : (JSON.parse(piece) as RipgrepEvent);
    if (type === 'match' && data?.line_number) found.set(data.line_number - 1, data.submatches ?? []);
    return true;
  };
  const text = lines.map((line) => `${line}\n`).join('');
  await inText({ ...run, query: { ...query, contextLines: 0 }, text, onPiece });
  return found;
}

/** Whether what is looked for may be more than a line. */
export const isMultiline = ({ query }: Pick<SearchQuery, 'query'>): boolean => /\n|\\n/.test(query);

const matching = ({ query, isRegex, caseSensitive, wholeWord, contextLines }: SearchQuery): string[] => [
  '--json',
  '--no-messages',
  '--crlf',
  ...(isMultiline({ query }) ? ['--multiline'] : []),
  ...(isRegex ? [] : ['--fixed-strings']),
  caseSensitive ? '--case-sensitive' : '--ignore-case',
  ...(wholeWord ? ['--word-regexp'] : []),
  ...(contextLines > 0 ? [`--context=${contextLines}`] : []),
];

const globsOf = ({ include, exclude }: SearchQuery, folder: vscode.WorkspaceFolder): string[] => [
  ...include.flatMap((glob) => inFolder(glob, folder)).flatMap((glob) => ['--glob', glob]),
  ...exclude.flatMap((glob) => inFolder(glob, folder)).flatMap((glob) => ['--glob', `!${glob}`]),
];

/** A glob as it is meant in one folder: for the folder's files by any of the ways to name them, and for all in a folder. */
export function inFolder(glob: string, { uri, name }: vscode.WorkspaceFolder): string[] {
  const bare = slashed(glob).replace(/^\.\//, '').replace(/\/+$/, '');
  const path = slashed(uri.fsPath);
  const isAbsolute = bare === path || bare.startsWith(`${path}/`);
  const relative = isAbsolute ? bare.slice(path.length + 1) || '**' : bare;
  const named = !isAbsolute && relative.startsWith(`${name}/`) ? [relative.slice(name.length + 1)] : [];
  return [relative, ...named].flatMap((one) => [one, `${one}/**`]);
}

/** By file and line; lines whose number is not known come last. */
const byPlace = (a: SearchLine, b: SearchLine): number => {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
};

/** Whether no link leads it where it is closed: what is open need not be listed. */
const isLocated = (locator: Locator, uri: vscode.Uri): Promise<boolean> =>
  locateUri(locator, uri.toString()).then(
    () => true,
    (error) => {
      if (error instanceof UserError) return false;
      throw error;
    },
  );

/** Open documents with unsaved text that the search would have looked at, had it been saved. */
async function unsavedDocuments(locator: Locator, listing: Listing, query: SearchQuery, signal: AbortSignal) {
  const { vscode, policy } = locator;
  const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isClosed);
  const found = new Map<string, { uri: vscode.Uri; text: string }>();
  if (dirty.length === 0) return found;
  const listed = await listing.files(signal);
  for (const document of dirty) {
    const { uri, isUntitled } = document;
    const isThere = isUntitled ? query.include.length === 0 : listed.has(uri.toString()) || isGone(uri);
    const fits = isThere && (isUntitled || fitsGlobs(query, uri, vscode));
    const isOpen = isUntitled ? policy.mayListUnnamed() : policy.mayList(policyPath(uri));
    if (fits && isOpen && (isUntitled || (await isLocated(locator, uri))))
      found.set(uri.toString(), { uri, text: document.getText() });
  }
  return found;
}

/** Deleted behind the editor's back: its text is in the editor alone. */
const isGone = ({ scheme, fsPath }: vscode.Uri): boolean => scheme === 'file' && !existsSync(fsPath);

function fitsGlobs(
  { include, exclude }: SearchQuery,
  uri: vscode.Uri,
  { workspace }: typeof vscode,
): boolean {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder) return false;
  const path = workspace.asRelativePath(uri, false);
  const any = (globs: readonly string[]) =>
    globMatchers(globs.flatMap((glob) => inFolder(glob, folder))).some((matches) => matches(path));
  return (include.length === 0 || any(include)) && !any(exclude);
}
