import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { findRipgrep, runRipgrep, scopeArguments } from '../../disk/ripgrep.ts';
import { readExcludes } from '../list/excludes.ts';
import type { Listing } from '../list/listing.ts';
import { displayPath, slashed } from '../read/displayPath.ts';
import type { Locator } from '../read/location.ts';
import { RedactedHits } from './redactedHits.ts';
import { type Asked, inLines, inText, isMultiline, matching } from './ripgrepArguments.ts';
import { collector, type Searched, type SearchLine } from './ripgrepEvents.ts';
import { globsOf } from './searchGlobs.ts';
import type { SearchQuery } from './searchQuery.ts';
import { unsavedTexts } from './unsavedDocuments.ts';
import { JudgedHits } from './verifiedHits.ts';

/** Whether a file of a folder is one of those that are listed, and not unsaved, by its URI. */
type IsSearched = (key: string) => boolean;

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
  const asked = { executable, query, signal };
  const unsaved = await unsavedTexts(locator, listing, query, signal);
  // To ripgrep a glob that includes outweighs every ignore file.
  const listed = query.include.length > 0 ? await listing.files(signal) : undefined;
  const isSearched: IsSearched = (key) => !unsaved.has(key) && (!listed || listed.has(key));
  const match = (lines: readonly string[]) => inLines({ ...asked, lines });
  const how = { redaction, ...query, isMultiline: isMultiline(query), match };
  const judged = new JudgedHits(
    locator,
    signal,
    redaction.isOff ? undefined : new RedactedHits(locator, how),
  );
  for (const folder of locator.vscode.workspace.workspaceFolders ?? [])
    if (!judged.isOver) await inFiles(locator, folder, asked, isSearched, judged);
  for (const { uri, text } of unsaved.values()) {
    const searched = { path: displayPath(locator, uri), content: text };
    if (!judged.isOver) await inText({ ...asked, text, ...into(judged, () => searched) });
  }
  return (await judged.shown()).sort(byPlace);
}

/** Has what ripgrep finds judged while it runs. */
const into = (judged: JudgedHits, find: (path: string) => Searched | undefined) => ({
  onPiece: collector(find, (searched, lines) => judged.add(searched, lines)),
  beforeMore: () => judged.judge(),
});

async function inFiles(
  locator: Locator,
  folder: vscode.WorkspaceFolder,
  { query, ...run }: Asked,
  isSearched: IsSearched,
  judged: JudgedHits,
): Promise<void> {
  const { policy, vscode } = locator;
  const { workspace, Uri } = vscode;
  const cwd = folder.uri.fsPath;
  if (folder.uri.scheme !== 'file' || !existsSync(cwd)) return;
  const { globs, bySibling } = readExcludes(workspace, folder.uri);
  const scope = [...scopeArguments(cwd, globs), ...matching(query), ...globsOf(query, folder)];
  const find = (named: string): Searched | undefined => {
    const path = slashed(named).replace(/^\.\//, '');
    const uri = Uri.joinPath(folder.uri, path);
    const isOurs = workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.uri.toString();
    if (!isOurs || !isSearched(uri.toString())) return undefined;
    if (bySibling(path, (sibling) => existsSync(join(cwd, sibling)))) return undefined;
    return policy.mayList(uri.fsPath) ? { path: displayPath(locator, uri), content: uri } : undefined;
  };
  const args = [...scope, '--', query.query, '.'];
  await runRipgrep({ ...run, args, cwd, separator: '\n', ...into(judged, find) });
}

/** By file and line; lines whose number is not known come last. */
const byPlace = (a: SearchLine, b: SearchLine): number => {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
};
