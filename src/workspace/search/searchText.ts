import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { findRipgrep, runRipgrep, scopeArguments } from '../../disk/ripgrep.ts';
import { readExcludes } from '../list/excludes.ts';
import type { Listing } from '../list/listing.ts';
import { displayPath, slashed } from '../read/displayPath.ts';
import type { Locator } from '../read/location.ts';
import { FoundLines } from './foundLines.ts';
import { OpenedHits } from './openedHits.ts';
import { RedactedTexts } from './redactedTexts.ts';
import { type Asked, inText, matching } from './ripgrepArguments.ts';
import { collector, type Searched, type SearchLine } from './ripgrepEvents.ts';
import { globsOf } from './searchGlobs.ts';
import type { SearchQuery } from './searchQuery.ts';
import { unsavedTexts } from './unsavedDocuments.ts';

/** Whether a folder's file is listed and has no unsaved text, by its URI. */
type IsSearched = (key: string) => boolean;

/**
 * Searches the files of all folders as the user sees them: unsaved text instead of the text on the disk.
 *
 * @throws UserError if the query is not a valid expression, CancelledError
 */
export async function searchText(
  locator: Locator,
  listing: Listing,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchLine[]> {
  const executable = findRipgrep(locator.vscode.env.appRoot);
  if (!executable) throw new UserError('Text search needs ripgrep, which this build of VS Code lacks.');
  const redaction = locator.world.redaction();
  redaction.require();
  const asked = { executable, query, signal };
  const unsaved = await unsavedTexts(locator, listing, query, signal);
  // In ripgrep an include glob overrides all ignore files.
  const listed = query.include.length > 0 ? await listing.files(signal) : undefined;
  const isSearched: IsSearched = (key) => !unsaved.has(key) && (!listed || listed.has(key));
  const found = new FoundLines();
  const redacted = redaction.isOff ? undefined : new RedactedTexts(locator, redaction, asked, found);
  const opened = new OpenedHits(locator, signal, found, redacted);
  for (const folder of locator.vscode.workspace.workspaceFolders ?? [])
    if (!found.isFull) await inFiles(locator, folder, asked, isSearched, opened);
  for (const { uri, text, encoding } of unsaved.values()) {
    const searched = { path: displayPath(locator, uri), uri };
    if (found.isFull || (await redacted?.takeUnsaved(searched.path, text, encoding))) continue;
    const onPiece = collector(
      () => searched,
      (_, lines) => found.add(lines),
    );
    await inText({ ...asked, text, onPiece, beforeMore: async () => !found.isFull });
  }
  await redacted?.search();
  return found.sorted();
}

async function inFiles(
  locator: Locator,
  folder: vscode.WorkspaceFolder,
  { query, ...run }: Asked,
  isSearched: IsSearched,
  opened: OpenedHits,
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
    return policy.mayList(uri.fsPath) ? { path: displayPath(locator, uri), uri } : undefined;
  };
  const args = [...scope, '--', query.query, '.'];
  const onPiece = collector(find, (searched, lines) => opened.add(searched, lines));
  await runRipgrep({ ...run, args, cwd, separator: '\n', onPiece, beforeMore: () => opened.judge() });
}
