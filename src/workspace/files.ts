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
import { type ClientText, lineMaps } from './read/lineMaps.ts';
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
export class Files {
  readonly policy: Policy;
  /** Where the agent's process works. */
  readonly place: AgentPlace;
  readonly edits: AgentEdits;
  readonly connectedAt = new Date();
  /** Redacts other text, such as the output of terminals. */
  readonly redactor: Redactor;
  readonly #window: WindowFiles;
  readonly #roots: ClientRoots;
  readonly #locator: Locator;
  #isRestored = false;
  #ownListing: Listing | undefined;
  /** The list as this agent may see it, kept until files or access rules change. */
  #listed: { all: FileList; verdicts: object; files: FileList } | undefined;
  /** Whether this agent may know names, while no rule changes: a change of a file is told to many listeners. */
  #knowable: { of?: object; names: Map<string, boolean> } = { names: new Map() };

  /** @param author the agent, by whose name its edits are remembered */
  constructor(window: WindowFiles, roots: ClientRoots, author: () => Author) {
    const { vscode, inputs, journal, editTurns } = window;
    const policy = agentPolicy(inputs, roots);
    const place = new AgentPlace(inputs, roots);
    const locator = { vscode: codeAt(vscode, place), inputs, policy, place };
    const redactor = redactorOf(locator);
    this.#window = window;
    this.#roots = roots;
    this.#locator = locator;
    this.policy = policy;
    this.place = place;
    this.redactor = redactor;
    this.edits = new AgentEdits({ ...locator, redactor, journal, author, editTurns });
  }

  // Functions in fields: they are passed on alone.

  /** Resolves when the window has restored the unsaved text from before its reload: to false if that takes too long. */
  restored = async (): Promise<boolean> => {
    this.#isRestored ||= await this.#window.restored.known();
    return this.#isRestored;
  };
  /** The workspace folders that relative paths mean. */
  folders = (): readonly vscode.WorkspaceFolder[] => this.#locator.vscode.workspace.workspaceFolders ?? [];
  /** The folders that the agent is shown: those with something inside the client's roots. Paths are resolved in all folders. */
  shownFolders = (): readonly vscode.WorkspaceFolder[] =>
    (this.#window.vscode.workspace.workspaceFolders ?? []).filter(({ uri }) =>
      this.policy.mayEnter(policyPath(uri)),
    );
  /** A path as an agent writes it. @throws UserError, NotFoundError */
  locate = (path: string): Promise<Location> => this.#locateNear(path, false);
  /** As `locate`, for what is only read: names may differ in characters that look the same. @throws UserError, NotFoundError */
  locateMeant = (path: string): Promise<Location> => this.#locateNear(path, true);
  /** The file that a result shows by this path, wherever the agent works. @throws UserError, NotFoundError */
  locateShown = (path: string): Promise<Location> => locate(this.#locator, path, true);
  /** @throws UserError, NotFoundError */
  locateUri = (uri: string): Promise<Location> => locateUri(this.#locator, uri);
  /**
   * Where something is to be created: a path as an agent writes it. Folders above it may be missing.
   *
   * @param source what is moved there
   * @throws UserError if something is there, or it is closed to the agent
   */
  locateNew = (path: string, source?: Location): Promise<NewPath> => locateNew(this.#locator, path, source);
  /** For lists that VS Code makes: the location of a URI; undefined if this agent may not know it. */
  permitted = (uri: vscode.Uri): Promise<Location | undefined> => permitted(this.#locator, uri);
  displayPath = (uri: vscode.Uri): string => displayPath(this.#locator, uri);
  /** @throws UserError, NotFoundError */
  read = (location: Location, makeRoom?: MakeRoom): Promise<ShownContent> =>
    this.redactor.read(location, makeRoom);
  /** The text of a file on the disk, whatever editors show; undefined if something of it is hidden from agents. @throws UserError, NotFoundError */
  textOnDisk = async (location: Location): Promise<string | undefined> => {
    this.policy.requireOperation('read');
    this.redactor.redaction.require();
    const file = await readDisk(this.#locator, location);
    const text = file && decodeUtf8(file.bytes);
    return text === undefined || this.redactor.text(text, location.path) !== text ? undefined : text;
  };
  /** Whether the open text of a file is that of the disk; true if it is unsaved, not open, or no text that can be compared. */
  isAsOnDisk = (location: Location): Promise<boolean> => isAsOnDisk(this.#locator, location);
  /** Lines of a text file as agents may see them, by their numbers (0-based). @throws UserError, NotFoundError */
  lines = (location: Location, wanted: readonly number[]): Promise<ReadonlyMap<number, string>> =>
    this.redactor.lines(location, wanted);
  openDocument = (location: Location): vscode.TextDocument | undefined =>
    openDocument(this.#window.vscode, location);
  /**
   * The open document, or one that VS Code loads without an editor for it. If a shell has just changed the file, VS Code is given
   * some time to read it again. @throws UserError if it is a folder, too large, or not text; NotFoundError
   */
  loadDocument = async (location: Location): Promise<vscode.TextDocument> => {
    const document = this.openDocument(location) ?? (await loadDocument(this.#locator, location));
    await readAgain(this.#locator, location);
    return document;
  };
  /** Where the lines of an LSP client's text of a file are in the window's. @param client if left out, it has the text of the disk */
  lineMaps = (location: Location, client?: ClientText): ReturnType<typeof lineMaps> =>
    lineMaps(this.#locator, location, client);
  /** The open notebook, or one that VS Code loads without an editor for it. @throws UserError if it is none; NotFoundError */
  loadNotebook = async (location: Location): Promise<vscode.NotebookDocument> => {
    await requireLoadable(this.#locator, location);
    return loadNotebook(this.#window.vscode, location);
  };
  /** Undefined if it does not exist. */
  stat = ({ uri }: { uri: vscode.Uri }): Promise<FileStat | undefined> =>
    fileStat(this.#window.vscode, uri, this.#window.inputs.near);
  /** The facts of a list entry; undefined if it is gone or closed. @param sniffs reads its beginning to know its kind */
  look = ({ uri }: { uri: vscode.Uri }, sniffs = false): Promise<ListedLook | undefined> =>
    listedLook(this.#locator, uri, sniffs);
  /** All files, sorted by URI, without those that are ignored, excluded or closed to this agent. @throws CancelledError */
  list = async (signal?: AbortSignal): Promise<FileList> => {
    this.#window.watcher.outdateUnwatched();
    const all = await this.#listing().files(signal);
    await this.#window.lookForGit(all);
    const { verdicts } = this.policy;
    if (this.#listed?.all !== all || this.#listed.verdicts !== verdicts) {
      const files = all.judgedBy((file) => this.policy.mayList(file.policyPath));
      this.#listed = { all, verdicts, files };
    }
    return this.#listed.files;
  };
  /**
   * The direct children of a folder, in no order, without those that are ignored, excluded or closed to this agent. Of a folder
   * that is ignored itself, all that are not closed.
   */
  children = (location: Location, signal?: AbortSignal): Promise<Children> =>
    childrenIn(this.#locator, location, () => this.list(signal), this.mayKnow);
  /** Files of a folder inside a workspace folder by the end of their names, ignored ones too. */
  inFolder = ({ uri }: vscode.WorkspaceFolder, path: string, ending: string): Promise<Location[]> =>
    filesIn(this.#locator, this.#window.vscode.Uri.joinPath(uri, path), ending);
  search = (query: SearchQuery, signal: AbortSignal): Promise<SearchLine[]> =>
    searchText(this.#locator, this.#listing(), query, signal);
  /** Replaces in a text what `search` finds. @throws UserError, CancelledError */
  replaceIn = (text: string, replacing: Replacing, signal: AbortSignal): Promise<ReplacedText> =>
    replaceText(this.#locator, text, replacing, signal);
  /** Whether this agent may know a file, by its name alone, without reading the disk. */
  mayKnow = (uri: vscode.Uri): boolean => {
    const { verdicts } = this.policy;
    if (this.#knowable.of !== verdicts || this.#knowable.names.size > MOST_KNOWN)
      this.#knowable = { of: verdicts, names: new Map() };
    const { names } = this.#knowable;
    const key = uri.toString();
    const known = names.get(key);
    if (known !== undefined) return known;
    const may = isUnnamed(uri) ? this.policy.mayListUnnamed() : this.policy.mayList(policyPath(uri));
    names.set(key, may);
    return may;
  };
  /**
   * Whether a file is closed to this agent, by its name or by where that leads. Other than with `mayKnow`, one outside of all
   * folders is closed by a rule only: VS Code reports on such files too. Follows links on the disk.
   */
  isClosed = (uri: vscode.Uri): boolean => {
    const names = [policyPath(uri), ...(uri.scheme === 'file' ? [realPathOf(uri.fsPath)] : [])];
    if (names.some(this.policy.isDenied)) return true;
    return this.#window.vscode.workspace.getWorkspaceFolder(uri) !== undefined && !this.mayKnow(uri);
  };
  /** Fires when folders, access settings or client roots change. */
  watchRules = (onChange: () => void): vscode.Disposable => this.#watchLists(onChange, () => false);
  /** Fires when `list` would differ. */
  watchList = (onList: () => void): vscode.Disposable =>
    this.#watchLists(onList, ({ policyPath }) => this.policy.mayList(policyPath));
  /** Fires with the files whose content changed, of those that this agent may know. */
  watchContent = (onContent: (uri: vscode.Uri) => void): { dispose(): void } =>
    this.#window.watcher.onContent((uri) => {
      if (this.mayKnow(uri)) onContent(uri);
    });

  /** The list that relative paths belong to. */
  #listing(): Listing {
    if (this.place.checkout === undefined) return this.#window.listing;
    this.#ownListing ??= new Listing(this.#locator.vscode);
    this.#ownListing.touch(); // nothing tells when it is out of date: the files are ignored in the folder above
    return this.#ownListing;
  }

  #locateNear(path: string, isRead: boolean): Promise<Location> {
    return locate(this.#locator, path).catch((error) =>
      nearest(error, this.#locator, path, { listed: this.#listing().known, isRead }),
    );
  }

  /** @param counts whether a file that came or went is a reason to fire */
  #watchLists(onChange: () => void, counts: (file: ListedFile) => boolean): vscode.Disposable {
    const listening = this.#window.watcher.onList((differing) => {
      if (!differing || differing.some(counts)) onChange();
    });
    return this.#window.vscode.Disposable.from(listening, this.#roots.onDidChange(onChange));
  }
}
