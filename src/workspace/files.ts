import type * as vscode from 'vscode';
import { agentPolicy, type Policy } from '../access/policy.ts';
import { isUnnamed, policyPath } from '../access/policyInputs.ts';
import { realPathOf } from '../util/diskPaths.ts';
import { AgentEdits } from './agentEdits.ts';
import type { Author } from './edit/journal.ts';
import { locateNew, type NewPath } from './edit/operations/operation.ts';
import { type Children, childrenIn, filesIn, type ListedLook, listedLook } from './list/children.ts';
import type { FileList } from './list/fileList.ts';
import type { ListedFile } from './list/listedFile.ts';
import { Listing } from './list/listing.ts';
import { nearest } from './list/nearPaths.ts';
import { isAsOnDisk, readAgain } from './read/asOnDisk.ts';
import { type FileStat, fileStat, type MakeRoom, readDisk } from './read/diskFile.ts';
import { locate } from './read/locate.ts';
import { locateUri, permitted } from './read/locateUri.ts';
import {
  AgentPlace,
  codeAt,
  displayPath,
  type Location,
  type Locator,
  openDocument,
  type Standing,
} from './read/location.ts';
import { loadNotebook } from './read/notebooks.ts';
import { decodeUtf8, loadDocument, requireLoadable, type ShownContent } from './read/readContent.ts';
import { type Redactor, redactorOf } from './read/redactor.ts';
import { type ReplacedText, type Replacing, replaceText } from './search/replaceText.ts';
import type { SearchLine, SearchQuery } from './search/ripgrepSearch.ts';
import { searchText } from './search/searchText.ts';
import type { WindowFiles } from './windowFiles.ts';

/** The roots that an agent's client declared, and where its process works. */
export interface ClientRoots extends Standing {
  onDidChange(listener: () => void): { dispose(): void };
}

/** The author if nobody asks who it is. */
export const NOBODY = (): Author => ({ id: 0, agent: 'agent' });

/** Names of which it is remembered whether an agent may know them. */
const MOST_KNOWN = 1_000;

/** The files of the window, as one agent may use them. Features reach files only through this; the policy checks every file that it returns. */
export interface Files {
  readonly policy: Policy;
  /** Where the agent's process works. */
  readonly place: AgentPlace;
  readonly edits: AgentEdits;
  readonly connectedAt: Date;
  /** Redacts other text, such as the output of terminals. */
  readonly redactor: Redactor;
  /** Resolves when the window has restored the unsaved text from before its reload: to false if that takes too long. */
  restored(): Promise<boolean>;
  /** The workspace folders that relative paths mean. */
  folders(): readonly vscode.WorkspaceFolder[];
  /** The folders that the agent is shown: those with something inside the client's roots. Paths are resolved in all folders. */
  shownFolders(): readonly vscode.WorkspaceFolder[];
  /** A path as an agent writes it. @throws UserError, NotFoundError */
  locate(path: string): Promise<Location>;
  /** As `locate`, for what is only read: names may differ in characters that look the same. @throws UserError, NotFoundError */
  locateMeant(path: string): Promise<Location>;
  /** The file that a result shows by this path, wherever the agent works. @throws UserError, NotFoundError */
  locateShown(path: string): Promise<Location>;
  /** @throws UserError, NotFoundError */
  locateUri(uri: string): Promise<Location>;
  /**
   * Where something is to be created: a path as an agent writes it. Folders above it may be missing.
   *
   * @param source what is moved there
   * @throws UserError if something is there, or it is closed to the agent
   */
  locateNew(path: string, source?: Location): Promise<NewPath>;
  /** For lists that VS Code makes: the location of a URI; undefined if this agent may not know it. */
  permitted(uri: vscode.Uri): Promise<Location | undefined>;
  displayPath(uri: vscode.Uri): string;
  /** @throws UserError, NotFoundError */
  read(location: Location, makeRoom?: MakeRoom): Promise<ShownContent>;
  /** The text of a file on the disk, whatever editors show; undefined if something of it is hidden from agents. @throws UserError, NotFoundError */
  textOnDisk(location: Location): Promise<string | undefined>;
  /** Whether the open text of a file is that of the disk; true if it is unsaved, not open, or no text that can be compared. */
  isAsOnDisk(location: Location): Promise<boolean>;
  /** Lines of a text file as agents may see them, by their numbers (0-based). @throws UserError, NotFoundError */
  lines(location: Location, wanted: readonly number[]): Promise<ReadonlyMap<number, string>>;
  openDocument(location: Location): vscode.TextDocument | undefined;
  /**
   * The open document, or one that VS Code loads without an editor for it. If a shell has just changed the file, VS Code is given
   * some time to read it again. @throws UserError if it is a folder, too large, or not text; NotFoundError
   */
  loadDocument(location: Location): Promise<vscode.TextDocument>;
  /** The open notebook, or one that VS Code loads without an editor for it. @throws UserError if it is none; NotFoundError */
  loadNotebook(location: Location): Promise<vscode.NotebookDocument>;
  /** Undefined if it does not exist. */
  stat(place: { uri: vscode.Uri }): Promise<FileStat | undefined>;
  /** The facts of a list entry; undefined if it is gone or closed. @param sniffs reads its beginning to know its kind */
  look(place: { uri: vscode.Uri }, sniffs?: boolean): Promise<ListedLook | undefined>;
  /** All files, sorted by URI, without those that are ignored, excluded or closed to this agent. @throws CancelledError */
  list(signal?: AbortSignal): Promise<FileList>;
  /**
   * The direct children of a folder, in no order, without those that are ignored, excluded or closed to this agent. Of a folder
   * that is ignored itself, all that are not closed.
   */
  children(location: Location, signal?: AbortSignal): Promise<Children>;
  /** Files of a folder inside a workspace folder by the end of their names, ignored ones too. */
  inFolder(folder: vscode.WorkspaceFolder, path: string, ending: string): Promise<Location[]>;
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchLine[]>;
  /** Replaces in a text what `search` finds. @throws UserError, CancelledError */
  replaceIn(text: string, replacing: Replacing, signal: AbortSignal): Promise<ReplacedText>;
  /** Whether this agent may know a file, by its name alone, without reading the disk. */
  mayKnow(uri: vscode.Uri): boolean;
  /**
   * Whether a file is closed to this agent, by its name or by where that leads. Other than with `mayKnow`, one outside of all
   * folders is closed by a rule only: VS Code reports on such files too. Follows links on the disk.
   */
  isClosed(uri: vscode.Uri): boolean;
  /** Fires when folders, access settings or client roots change. */
  watchRules(onChange: () => void): vscode.Disposable;
  /** Fires when `list` would differ. */
  watchList(onList: () => void): vscode.Disposable;
  /** Fires with the files whose content changed, of those that this agent may know. */
  watchContent(onContent: (uri: vscode.Uri) => void): { dispose(): void };
}

/** @param author the agent, by whose name its edits are remembered */
export function agentFiles(window: WindowFiles, roots: ClientRoots, author: () => Author = NOBODY): Files {
  const { vscode: code, inputs, watcher, journal, editTurns } = window;
  const policy = agentPolicy(inputs, roots);
  const place = new AgentPlace(inputs, roots);
  const locator: Locator = { vscode: codeAt(code, place), inputs, policy, place };
  const redactor = redactorOf(locator);
  const edits = new AgentEdits({ ...locator, redactor, journal, author, editTurns });
  let isRestored = false;
  let ownListing: Listing | undefined;
  /** The list as this agent may see it, kept until files or access rules change. */
  let listed: { all: FileList; verdicts: object; files: FileList } | undefined;
  /** Whether this agent may know names, while no rule changes: a change of a file is told to many listeners. */
  let knowable: { of?: object; names: Map<string, boolean> } = { names: new Map() };

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

  function mayKnow(uri: vscode.Uri): boolean {
    const { verdicts } = policy;
    if (knowable.of !== verdicts || knowable.names.size > MOST_KNOWN)
      knowable = { of: verdicts, names: new Map() };
    const key = uri.toString();
    const known = knowable.names.get(key);
    if (known !== undefined) return known;
    const may = isUnnamed(uri) ? policy.mayListUnnamed() : policy.mayList(policyPath(uri));
    knowable.names.set(key, may);
    return may;
  }

  function isClosed(uri: vscode.Uri): boolean {
    const names = [policyPath(uri), ...(uri.scheme === 'file' ? [realPathOf(uri.fsPath)] : [])];
    if (names.some(policy.isDenied)) return true;
    return code.workspace.getWorkspaceFolder(uri) !== undefined && !mayKnow(uri);
  }

  /** @param counts whether a file that came or went is a reason to fire */
  function watchLists(onChange: () => void, counts: (file: ListedFile) => boolean): vscode.Disposable {
    const listening = watcher.onList((differing) => {
      if (!differing || differing.some(counts)) onChange();
    });
    return code.Disposable.from(listening, roots.onDidChange(onChange));
  }

  return {
    policy,
    place,
    edits,
    connectedAt: new Date(),
    redactor,
    async restored() {
      isRestored ||= await window.restored.known();
      return isRestored;
    },
    folders: () => locator.vscode.workspace.workspaceFolders ?? [],
    shownFolders: () =>
      (code.workspace.workspaceFolders ?? []).filter(({ uri }) => policy.mayEnter(policyPath(uri))),
    locate: (path) => locateNear(path, false),
    locateMeant: (path) => locateNear(path, true),
    locateShown: (path) => locate(locator, path, true),
    locateUri: (uri) => locateUri(locator, uri),
    locateNew: (path, source) => locateNew(locator, path, source),
    permitted: (uri) => permitted(locator, uri),
    displayPath: (uri) => displayPath(locator, uri),
    read: (location, makeRoom) => redactor.read(location, makeRoom),
    async textOnDisk(location) {
      policy.requireOperation('read');
      redactor.redaction.require();
      const file = await readDisk(locator, location);
      const text = file && decodeUtf8(file.bytes);
      return text === undefined || redactor.text(text, location.path) !== text ? undefined : text;
    },
    isAsOnDisk: (location) => isAsOnDisk(locator, location),
    lines: (location, wanted) => redactor.lines(location, wanted),
    openDocument: (location) => openDocument(code, location),
    async loadDocument(location) {
      const document = openDocument(code, location) ?? (await loadDocument(locator, location));
      await readAgain(locator, location);
      return document;
    },
    async loadNotebook(location) {
      await requireLoadable(locator, location);
      return loadNotebook(code, location);
    },
    stat: ({ uri }) => fileStat(code, uri, inputs.near),
    look: ({ uri }, sniffs = false) => listedLook(locator, uri, sniffs),
    list,
    children: (location, signal) => childrenIn(locator, location, () => list(signal), mayKnow),
    inFolder: (folder, path, ending) => filesIn(locator, code.Uri.joinPath(folder.uri, path), ending),
    search: (query, signal) => searchText(locator, listing(), query, signal),
    replaceIn: (text, replacing, signal) => replaceText(locator, text, replacing, signal),
    mayKnow,
    isClosed,
    watchRules: (onChange) => watchLists(onChange, () => false),
    watchList: (onList) => watchLists(onList, ({ policyPath }) => policy.mayList(policyPath)),
    watchContent: (onContent) =>
      watcher.onContent((uri) => {
        if (mayKnow(uri)) onContent(uri);
      }),
  };
}
