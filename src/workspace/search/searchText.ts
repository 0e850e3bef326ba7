import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { isUnnamed, policyPath } from '../../access/policyInputs.ts';
import { throwIfCancelled, UserError } from '../../core/messages.ts';
import { OpenedFile } from '../../disk/openedFile.ts';
import { findRipgrep, runRipgrep, scopeArguments } from '../../disk/ripgrep.ts';
import { clock } from '../../util/clock.ts';
import type { Listing } from '../list/listing.ts';
import { readExcludes } from '../list/virtualFiles.ts';
import { judged } from '../read/diskFile.ts';
import { permitted } from '../read/locateUri.ts';
import { displayPath, type Locator, slashed } from '../read/location.ts';
import { type RedactedTexts, redactedTexts } from './redactedTexts.ts';
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
import { fitsGlobs, globsOf, noteOnGlobs, type SearchScope, searchScopeOf } from './scope.ts';

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
  const redacted = redaction.isOff ? undefined : redactedTexts(locator, redaction, asked, found);
  const opened = openedHits(locator, signal, found, redacted);
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

/** @throws UserError if this build has none */
export function requireRipgrep({ vscode: { env } }: Locator): string {
  const executable = findRipgrep(env.appRoot);
  if (executable) return executable;
  throw new UserError('Text search needs ripgrep, which this build of VS Code lacks.');
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
  { query, ...run }: RipgrepSearch,
  isSearched: IsSearched,
  opened: ReturnType<typeof openedHits>,
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
    ...REPORT,
    ...matching(query),
    '--',
    patternOf(query),
    inside === undefined ? '.' : `./${inside}`,
  ];
  const onPiece = collector(find, (searched, lines) => opened.add(searched, lines));
  await runRipgrep({ ...run, args, cwd, separator: '\n', onPiece, beforeMore: () => opened.judge() });
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

/** How long the extension host may be busy at a time, in milliseconds, unless a single file takes longer. */
const SLICE = 8;

/**
 * Keeps only lines that really are in their files. Ripgrep opens files by name, and a link may have been there at that moment.
 * So each file is opened and checked here, and lines that it does not contain are dropped.
 *
 * @param redacted undefined if nothing is redacted
 */
function openedHits(
  locator: Locator,
  signal: AbortSignal,
  found: FoundLines,
  redacted: RedactedTexts | undefined,
) {
  const waiting: [Searched, readonly SearchLine[]][] = [];
  /** The current file; its lines may come in parts. No bytes if it is closed, deleted, or searched by its redacted text. */
  let last: { searched: Searched; bytes: Buffer | undefined } | undefined;
  let until = 0;
  const opened = async (searched: Searched): Promise<Buffer | undefined> => {
    const bytes = await bytesOf(locator, searched.uri);
    const asSearched = bytes && asUtf8(bytes);
    const isTaken = asSearched && (await redacted?.takeFile(searched, bytes, asSearched));
    return isTaken ? undefined : asSearched;
  };
  return {
    /** Adds lines of a file for `judge` to check. */
    add: (searched: Searched, lines: readonly SearchLine[]) => void waiting.push([searched, lines]),

    /** Checks the added lines; false once the limit is reached. @throws CancelledError */
    async judge(): Promise<boolean> {
      for (const [searched, lines] of waiting.splice(0)) {
        throwIfCancelled(signal);
        if (found.isFull) break;
        if (last?.searched !== searched) last = { searched, bytes: await opened(searched) };
        const { bytes } = last;
        if (bytes) found.add(lines.filter(({ piece }) => !piece || bytes.includes(piece)));
        if (clock.now() < until) continue;
        await setImmediate();
        await setImmediate(); // the first may run before events that arrived meanwhile, such as a cancellation
        until = clock.now() + SLICE;
      }
      return !found.isFull;
    },
  };
}

/** Undefined if the file is closed or deleted. */
async function bytesOf(locator: Locator, { fsPath }: vscode.Uri): Promise<Buffer | undefined> {
  const file = await OpenedFile.open(fsPath, locator.inputs.near).catch(() => undefined);
  const read = async () => (file?.stats.isFile() ? Buffer.from(await file.read()) : undefined);
  return file && judged(locator, fsPath, file, read);
}

/** The bytes that ripgrep searches: it converts UTF-16 to UTF-8. */
function asUtf8(bytes: Buffer): Buffer {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return Buffer.from(bytes.toString('utf16le'));
  if (first !== 0xfe || second !== 0xff) return bytes;
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return Buffer.from(even.swap16().toString('utf16le'));
}
