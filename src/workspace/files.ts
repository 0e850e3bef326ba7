import type * as vscode from 'vscode';
import { agentPolicy } from '../access/policy.ts';
import { isUnnamed, policyPath } from '../access/policyInputs.ts';
import { realPathOf } from '../util/diskPaths.ts';
import type { Author } from './edit/journal.ts';
import { locateNew } from './edit/operations/operation.ts';
import { fileEdits } from './fileEdits.ts';
import { childrenIn, filesIn, listedLook } from './list/children.ts';
import type { FileList } from './list/fileList.ts';
import type { ListedFile } from './list/listedFile.ts';
import { Listing } from './list/listing.ts';
import { nearest } from './list/nearPaths.ts';
import { isAsOnDisk, readAgain } from './read/asOnDisk.ts';
import { fileStat, type MakeRoom, readDisk } from './read/diskFile.ts';
import { locate } from './read/locate.ts';
import { locateUri, permitted } from './read/locateUri.ts';
import {
  agentPlace,
  codeAt,
  displayPath,
  type Location,
  type Locator,
  openDocument,
  type Standing,
} from './read/location.ts';
import { loadNotebook } from './read/notebooks.ts';
import { decodeUtf8, loadDocument, requireLoadable } from './read/readContent.ts';
import { redactorOf } from './read/redactor.ts';
import { type Replacing, replaceText } from './search/replaceText.ts';
import type { SearchQuery } from './search/ripgrepSearch.ts';
import { searchText } from './search/searchText.ts';
import type { WindowFiles } from './windowFiles.ts';

/** The roots that an agent's client declared, and where its process works. */
export interface ClientRoots extends Standing {
  onDidChange(listener: () => void): { dispose(): void };
}

/** The author if nobody asks who it is. */
export const NOBODY = (): Author => ({ id: 0, agent: 'agent' });

/** Names of which it is remembered whether an agent may know them. */
const MOST_TOLD = 1_000;

/** The files of the window, as one agent may use them. */
export type Files = ReturnType<typeof agentFiles>;

/**
 * Features reach files only through this, and the policy checks every file that it returns.
 *
 * @param author the agent, by whose name its edits are remembered
 */
export function agentFiles(window: WindowFiles, roots: ClientRoots, author: () => Author = NOBODY) {
  const { vscode: code, inputs, watcher, journal, edits: turns } = window;
  const policy = agentPolicy(inputs, roots);
  const place = agentPlace(inputs, roots);
  const locator: Locator = { vscode: codeAt(code, place), inputs, policy, place };
  const redactor = redactorOf(locator);
  const edits = fileEdits({ ...locator, redactor, journal, turns, author });
  let isRestored = false;
  let ownListing: Listing | undefined;
  /** The list as this agent may see it, kept until files or access rules change. */
  let listed: { all: FileList; verdicts: object; files: FileList } | undefined;
  /** Whether this agent may know names, while no rule changes: a change of a file is told to many listeners. */
  let told: { of?: object; names: Map<string, boolean> } = { names: new Map() };

  /** The list that relative paths belong to. */
  function listing(): Listing {
    if (place.checkout === undefined) return window.listing;
    ownListing ??= new Listing(locator.vscode);
    ownListing.touch(); // nothing tells when it is out of date: the files are ignored in the folder above
    return ownListing;
  }

  const locateNear = (path: string, isRead: boolean): Promise<Location> =>
    locate(locator, path).catch((error) =>
      nearest(error, locator, path, { listed: listing().known, isRead }),
    );

  async function list(signal?: AbortSignal): Promise<FileList> {
    watcher.outdateUnwatched();
    const all = await listing().files(signal);
    await window.lookForGit(all);
    const { verdicts } = policy;
    if (listed?.all !== all || listed.verdicts !== verdicts)
      listed = { all, verdicts, files: all.judgedBy((file) => policy.mayList(file.policyPath)) };
    return listed.files;
  }

  function mayTellOf(uri: vscode.Uri): boolean {
    const { verdicts } = policy;
    if (told.of !== verdicts || told.names.size > MOST_TOLD) told = { of: verdicts, names: new Map() };
    const key = uri.toString();
    const known = told.names.get(key);
    if (known !== undefined) return known;
    const may = isUnnamed(uri) ? policy.mayListUnnamed() : policy.mayList(policyPath(uri));
    told.names.set(key, may);
    return may;
  }

  /**
   * Whether a file is closed to this agent, by its name or by where that leads. Other than with `mayTellOf`, one outside of all
   * folders is closed by a rule only: VS Code tells of such files too. Follows links on the disk.
   */
  function isClosed(uri: vscode.Uri): boolean {
    const names = [policyPath(uri), ...(uri.scheme === 'file' ? [realPathOf(uri.fsPath)] : [])];
    if (names.some(policy.isDenied)) return true;
    return code.workspace.getWorkspaceFolder(uri) !== undefined && !mayTellOf(uri);
  }

  /** @param counts whether a file that came or went is a reason to fire */
  function watchLists(onChange: () => void, counts: (file: ListedFile) => boolean): vscode.Disposable {
    const listening = watcher.onList((differing) => {
      if (!differing || differing.some(counts)) onChange();
    });
    return code.Disposable.from(listening, roots.onDidChange(onChange));
  }

  return {
    ...{ policy, place, edits, connectedAt: new Date() },
    /** Redacts other text, such as the output of terminals. */
    redactor,
    /** Resolves when the window has restored the unsaved text from before its reload: to false if that takes too long. */
    async restored(): Promise<boolean> {
      isRestored ||= await window.restored.known();
      return isRestored;
    },
    /** Those that relative paths mean. */
    folders: (): readonly vscode.WorkspaceFolder[] => locator.vscode.workspace.workspaceFolders ?? [],
    /** The folders to tell the agent: those with something inside the client's roots. Paths are resolved in all folders. */
    toldFolders: (): readonly vscode.WorkspaceFolder[] =>
      (code.workspace.workspaceFolders ?? []).filter(({ uri }) => policy.mayEnter(policyPath(uri))),
    /** A path as an agent writes it. @throws UserError, NotFoundError */
    locate: (path: string) => locateNear(path, false),
    /** The same for what is only read: names may differ in characters that look the same. @throws UserError, NotFoundError */
    locateMeant: (path: string) => locateNear(path, true),
    /** The file that a result shows by this path, wherever the agent works. @throws UserError, NotFoundError */
    locateShown: (path: string) => locate(locator, path, true),
    /** @throws UserError, NotFoundError */
    locateUri: (uri: string) => locateUri(locator, uri),
    /**
     * Where something is to be created: a path as an agent writes it. Folders above it may be missing.
     *
     * @param source what is moved there
     * @throws UserError if something is there, or it is closed to the agent
     */
    locateNew: (path: string, source?: Location) => locateNew(locator, path, source),
    /** For lists that VS Code makes: the location of a URI; undefined if this agent may not know it. */
    permitted: (uri: vscode.Uri) => permitted(locator, uri),
    displayPath: (uri: vscode.Uri) => displayPath(locator, uri),
    /** @throws UserError, NotFoundError */
    read: (location: Location, makeRoom?: MakeRoom) => redactor.read(location, makeRoom),
    /** The text of a file on the disk, whatever editors show; undefined if something of it is hidden from agents. @throws UserError, NotFoundError */
    async textOnDisk(location: Location): Promise<string | undefined> {
      policy.requireOperation('read');
      redactor.redaction.require();
      const file = await readDisk(locator, location);
      const text = file && decodeUtf8(file.bytes);
      return text === undefined || redactor.text(text, location.path) !== text ? undefined : text;
    },
    /** Whether the open text of a file is that of the disk; true if it is unsaved, not open, or no text that can be compared. */
    isAsOnDisk: (location: Location) => isAsOnDisk(locator, location),
    /** Lines of a text file as agents may see them, by their numbers (0-based). @throws UserError, NotFoundError */
    lines: (location: Location, wanted: readonly number[]) => redactor.lines(location, wanted),
    openDocument: (location: Location) => openDocument(code, location),
    /**
     * The open document, or one that VS Code loads without an editor for it. If a shell has just changed the file, VS Code is given
     * some time to read it again. @throws UserError if it is a folder, too large, or not text; NotFoundError
     */
    async loadDocument(location: Location): Promise<vscode.TextDocument> {
      const document = openDocument(code, location) ?? (await loadDocument(locator, location));
      await readAgain(locator, location);
      return document;
    },
    /** The open notebook, or one that VS Code loads without an editor for it. @throws UserError if it is none; NotFoundError */
    async loadNotebook(location: Location): Promise<vscode.NotebookDocument> {
      await requireLoadable(locator, location);
      return loadNotebook(code, location);
    },
    /** Undefined if it does not exist. */
    stat: ({ uri }: { uri: vscode.Uri }) => fileStat(code, uri),
    /** The facts of a list entry; undefined if it is gone or closed. */
    look: ({ uri }: { uri: vscode.Uri }, sniffs = false) => listedLook(locator, uri, sniffs),
    /** All files, sorted by URI, without those that are ignored, excluded or closed to this agent. @throws CancelledError */
    list,
    /**
     * The direct children of a folder, in no order, without those that are ignored, excluded or closed to this agent. Of a folder
     * that is ignored itself, all that are not closed.
     */
    children: (location: Location, signal?: AbortSignal) =>
      childrenIn(locator, location, () => list(signal), mayTellOf),
    /** Files of a folder inside a workspace folder by the end of their names, ignored ones too. */
    inFolder: (folder: vscode.WorkspaceFolder, path: string, ending: string) =>
      filesIn(locator, code.Uri.joinPath(folder.uri, path), ending),
    search: (query: SearchQuery, signal: AbortSignal) => searchText(locator, listing(), query, signal),
    /** Replaces in a text what `search` finds. @throws UserError, CancelledError */
    replaceIn: (text: string, replacing: Replacing, signal: AbortSignal) =>
      replaceText(locator, text, replacing, signal),
    /** Whether this agent may know a file, by its name alone, without reading the disk. */
    mayTellOf,
    isClosed,
    /** Fires when folders, access settings or client roots change. */
    watchRules: (onChange: () => void) => watchLists(onChange, () => false),
    /** Fires when `list` would differ. */
    watchList: (onList: () => void) => watchLists(onList, ({ policyPath }) => policy.mayList(policyPath)),
    /** Fires with the files whose content changed, of those that this agent may know. */
    watchContent: (onContent: (uri: vscode.Uri) => void) =>
      watcher.onContent((uri) => {
        if (mayTellOf(uri)) onContent(uri);
      }),
  };
}
