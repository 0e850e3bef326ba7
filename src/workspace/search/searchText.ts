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
import { type Asked, inText, matching, patternOf } from './ripgrepArguments.ts';
import { collector, type Searched, type SearchLine } from './ripgrepEvents.ts';
import { noteOnGlobs, scopeOf } from './scope.ts';
import { globsOf } from './searchGlobs.ts';
import type { SearchQuery } from './searchQuery.ts';
import { unsavedTexts } from './unsavedDocuments.ts';

/** Whether a folder's file is listed, or named by include, and has no unsaved text; by its URI. */
type IsSearched = (key: string, isNamed: boolean) => boolean;

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
  const hasGlobs = query.include.length + query.exclude.length > 0;
  // In ripgrep an include glob overrides all ignore files.
  const listed = hasGlobs ? await listing.files(signal) : undefined;
  const { globs, unlisted } = listed ? await scopeOf(locator, query, listed) : { globs: NONE, unlisted: [] };
  const asked = { executable, query: { ...query, ...(globs ?? NONE) }, signal };
  const unsaved = await unsavedTexts(locator, listing, { globs, unlisted }, signal);
  const isSearched: IsSearched = (key, isNamed) =>
    !unsaved.has(key) && (isNamed || query.include.length === 0 || listed?.has(key) === true);
  const found = new FoundLines();
  const redacted = redaction.isOff ? undefined : new RedactedTexts(locator, redaction, asked, found);
  const opened = new OpenedHits(locator, signal, found, redacted);
  const folders = globs ? (locator.vscode.workspace.workspaceFolders ?? []) : [];
  const places = [...folders.map((folder) => ({ folder })), ...unlisted];
  for (const place of places) if (!found.isFull) await inFiles(locator, place, asked, isSearched, opened);
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
  const lines = found.sorted();
  const note = lines.length === 0 && listed && globs && noteOnGlobs(globs, listed, locator.vscode);
  if (note) query.onNote?.(note);
  return lines;
}

const NONE = { include: [], exclude: [] };

/** A workspace folder, or what is in it and in no list. */
interface Place {
  folder: vscode.WorkspaceFolder;
  inside?: string;
}

async function inFiles(
  locator: Locator,
  { folder, inside }: Place,
  { query, ...run }: Asked,
  isSearched: IsSearched,
  opened: OpenedHits,
): Promise<void> {
  const { policy, vscode } = locator;
  const { workspace, Uri } = vscode;
  const cwd = folder.uri.fsPath;
  if (folder.uri.scheme !== 'file' || !existsSync(cwd)) return;
  const { globs, bySibling } = readExcludes(workspace, folder.uri);
  const scope =
    inside === undefined
      ? [...scopeArguments(cwd, globs), ...globsOf(query, folder)]
      : [...scopeArguments(cwd, []), '--no-ignore', ...globsOf({ ...query, include: [] }, folder)];
  const find = (named: string): Searched | undefined => {
    const path = slashed(named).replace(/^\.\//, '');
    const uri = Uri.joinPath(folder.uri, path);
    const isOurs = workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.uri.toString();
    if (!isOurs || !isSearched(uri.toString(), inside !== undefined)) return undefined;
    if (inside === undefined && bySibling(path, (sibling) => existsSync(join(cwd, sibling))))
      return undefined;
    return policy.mayList(uri.fsPath) ? { path: displayPath(locator, uri), uri } : undefined;
  };
  const args = [
    ...scope,
    ...matching(query),
    '--',
    patternOf(query),
    inside === undefined ? '.' : `./${inside}`,
  ];
  const onPiece = collector(find, (searched, lines) => opened.add(searched, lines));
  await runRipgrep({ ...run, args, cwd, separator: '\n', onPiece, beforeMore: () => opened.judge() });
}
