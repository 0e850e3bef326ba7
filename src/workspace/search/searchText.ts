import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { isUnnamed, policyPath } from '../../access/policyInputs.ts';
import { UserError } from '../../core/errors.ts';
import { findRipgrep, runRipgrep } from '../../disk/ripgrep.ts';
import type { Listing } from '../list/listing.ts';
import { permitted } from '../read/locateUri.ts';
import { displayPath, type Locator } from '../read/location.ts';
import { behindNul, noteOnCut } from './behindNul.ts';
import { OpenedHits } from './openedHits.ts';
import { filesOf, type IsSearched, type Place } from './placeFiles.ts';
import { RedactedTexts } from './redactedTexts.ts';
import {
  collector,
  FoundLines,
  inText,
  matching,
  patternOf,
  REPORT,
  type RipgrepSearch,
  type Searched,
  type SearchLine,
  type SearchQuery,
} from './ripgrepSearch.ts';
import { fitsGlobs, noteOnGlobs, type SearchScope, searchScopeOf } from './scope.ts';

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
  const executable = requireRipgrep(locator);
  const { redaction } = locator.inputs;
  redaction.require();
  const hasGlobs = query.include.length + query.exclude.length > 0;
  // In ripgrep an include glob overrides all ignore files.
  const listed = hasGlobs ? await listing.files(signal) : undefined;
  const { globs, unlisted } = listed
    ? await searchScopeOf(locator, query, listed)
    : { globs: NONE, unlisted: [] };
  const asked = { executable, query: { ...query, ...(globs ?? NONE) }, signal };
  const unsaved = await unsavedTexts(locator, listing, { globs, unlisted }, signal);
  const isSearched: IsSearched = (key, isNamed) =>
    !unsaved.has(key) && (isNamed || query.include.length === 0 || listed?.has(key) === true);
  const found = new FoundLines();
  const redacted = redaction.isOff ? undefined : new RedactedTexts(locator, redaction, asked, found);
  const cut = new Map<string, Searched>();
  const isCut = (searched: Searched) => void cut.set(searched.path, searched);
  const opened = new OpenedHits(locator, signal, found, redacted);
  const folders = globs ? (locator.vscode.workspace.workspaceFolders ?? []) : [];
  const places = [...folders.map((folder) => ({ folder })), ...unlisted];
  for (const place of places)
    if (!found.isFull) await inFiles(locator, place, asked, isSearched, opened, isCut);
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
  if (lines.length === 0 && query.onNote)
    for (const place of places) await behindNul(locator, place, asked, isSearched, isCut);
  if (cut.size > 0) await noteOnCut(locator, [...cut.values()], query);
  const note = lines.length === 0 && listed && globs && noteOnGlobs(globs, listed, locator.vscode);
  if (note) query.onNote?.(note);
  return lines;
}

/** @throws UserError if this build has none */
export function requireRipgrep({ vscode: { env } }: Locator): string {
  const executable = findRipgrep(env.appRoot);
  if (executable) return executable;
  throw new UserError('Text search needs ripgrep, which this build of VS Code lacks.');
}

const NONE = { include: [], exclude: [] };

async function inFiles(
  locator: Locator,
  place: Place,
  { query, ...run }: RipgrepSearch,
  isSearched: IsSearched,
  opened: OpenedHits,
  isCut: (searched: Searched) => void,
): Promise<void> {
  const scope = filesOf(locator, place, query, isSearched);
  if (!scope) return;
  const args = [...scope.args, ...REPORT, ...matching(query), '--', patternOf(query), scope.top];
  const onPiece = collector(scope.find, (searched, lines) => opened.add(searched, lines), isCut);
  await runRipgrep({
    ...run,
    args,
    cwd: scope.cwd,
    separator: '\n',
    onPiece,
    beforeMore: () => opened.judge(),
  });
}

interface UnsavedText {
  uri: vscode.Uri;
  text: string;
  encoding: string;
}

/** Unsaved texts that the search would include if they were saved, by their URIs. */
async function unsavedTexts(
  locator: Locator,
  listing: Listing,
  { globs, unlisted }: SearchScope,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UnsavedText>> {
  const { vscode, policy } = locator;
  const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isClosed);
  const found = new Map<string, UnsavedText>();
  if (dirty.length === 0) return found;
  const listed = await listing.files(signal);
  for (const document of dirty) {
    const { uri, isUntitled, encoding } = document;
    const isThere = isUntitled ? globs?.include.length === 0 : listed.has(uri.toString()) || isGone(uri);
    const fits = isThere && (isUntitled || (globs && fitsGlobs(globs, uri, vscode)));
    const isNamed = unlisted.some(({ folder, inside }) =>
      isWithinUri(uri, vscode.Uri.joinPath(folder.uri, inside)),
    );
    const isOpen = isUnnamed(uri) ? policy.mayListUnnamed() : policy.mayList(policyPath(uri));
    // The list may not include this file, so its link target is checked too.
    if ((fits || isNamed) && isOpen && (await permitted(locator, uri)))
      found.set(uri.toString(), { uri, text: document.getText(), encoding });
  }
  return found;
}

/** Whether the file was deleted: only the editor has its text. */
const isGone = ({ scheme, fsPath }: vscode.Uri): boolean => scheme === 'file' && !existsSync(fsPath);

const isWithinUri = (uri: vscode.Uri, place: vscode.Uri): boolean =>
  uri.toString() === place.toString() || uri.toString().startsWith(`${place}/`);
