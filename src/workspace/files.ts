import type * as vscode from 'vscode';
import { Policy } from '../access/policy.ts';
import { isUnnamed, policyPath } from '../access/policyInputs.ts';
import type { Author } from './edit/journal.ts';
import { locateNew, type NewPath } from './edit/operations/operation.ts';
import { FileEdits } from './fileEdits.ts';
import { type Child, childrenIn, filesIn } from './list/children.ts';
import type { FileList } from './list/fileList.ts';
import type { ListedFile } from './list/listedFile.ts';
import { Listing } from './list/listing.ts';
import { nearest } from './list/nearPaths.ts';
import { type AgentPlace, agentPlace, codeAt, type Standing } from './place.ts';
import {
  type FileStat,
  fileStat,
  type ListedLook,
  listedLook,
  type MakeRoom,
  readDisk,
} from './read/diskFile.ts';
import { loadDocument } from './read/loadDocument.ts';
import { locate } from './read/locate.ts';
import { locateUri, permitted } from './read/locateUri.ts';
import { displayPath, type Location, type Locator, openDocument } from './read/location.ts';
import { decodeUtf8, type ShownContent } from './read/readContent.ts';
import { Redactor } from './read/redactor.ts';
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
const MOST_TOLD = 1_000;

/**
 * The files of the window, as one agent may use them. Features reach files only through this class, and the policy checks
 * every file that it returns.
 */
export class Files {
  readonly policy: Policy;
  readonly place: AgentPlace;
  /** Redacts other text, such as the output of terminals. */
  readonly redactor: Redactor;
  readonly edits: FileEdits;
  readonly #window: WindowFiles;
  readonly #locator: Locator;
  readonly #roots: ClientRoots;
  #isRestored = false;
  #ownListing: Listing | undefined;
  /** The list as this agent may see it, kept until files or access rules change. */
  #listed: { all: FileList; verdicts: object; files: FileList } | undefined;
  /** Whether this agent may know names, while no rule changes: a change of a file is told to many listeners. */
  #told: { of?: object; names: Map<string, boolean> } = { names: new Map() };
  readonly connectedAt = new Date();

  /** @param author the agent, by whose name its edits are remembered */
  constructor(window: WindowFiles, clientRoots: ClientRoots, author: () => Author = NOBODY) {
    const { inputs, vscode } = window;
    this.#window = window;
    this.#roots = clientRoots;
    this.policy = new Policy(inputs, clientRoots);
    this.place = agentPlace(inputs, clientRoots);
    this.#locator = { vscode: codeAt(vscode, this), inputs, policy: this.policy, place: this.place };
    this.redactor = new Redactor(this.#locator);
    const { journal, edits: turns } = window;
    this.edits = new FileEdits({ ...this.#locator, redactor: this.redactor, journal, turns, author });
  }

  /** Resolves when the window has restored the unsaved text from before its reload: to false if that takes too long. */
  async restored(): Promise<boolean> {
    this.#isRestored ||= await this.#window.restored.known();
    return this.#isRestored;
  }

  /** Those that relative paths mean. */
  folders(): readonly vscode.WorkspaceFolder[] {
    return this.#locator.vscode.workspace.workspaceFolders ?? [];
  }

  /** The list that relative paths belong to. */
  get #listing(): Listing {
    if (this.place.checkout === undefined) return this.#window.listing;
    this.#ownListing ??= new Listing(this.#locator.vscode);
    this.#ownListing.touch(); // nothing tells when it is out of date: the files are ignored in the folder above
    return this.#ownListing;
  }

  /** The folders to tell the agent: those with something inside the client's roots. Paths are resolved in all folders. */
  toldFolders(): readonly vscode.WorkspaceFolder[] {
    const all = this.#window.vscode.workspace.workspaceFolders ?? [];
    return all.filter(({ uri }) => this.policy.mayEnter(policyPath(uri)));
  }

  /** A path as an agent writes it. @throws UserError, NotFoundError */
  locate(path: string): Promise<Location> {
    return locate(this.#locator, path).catch((error) =>
      nearest(error, this.#locator, path, { listed: this.#listing.known, isRead: false }),
    );
  }

  /** The file that a result shows by this path, wherever the agent works. @throws UserError, NotFoundError */
  locateShown(path: string): Promise<Location> {
    return locate(this.#locator, path, true);
  }

  /** The same as `locate` for what is only read: names may differ in characters that look the same. @throws UserError, NotFoundError */
  locateMeant(path: string): Promise<Location> {
    return locate(this.#locator, path).catch((error) =>
      nearest(error, this.#locator, path, { listed: this.#listing.known, isRead: true }),
    );
  }

  /** @throws UserError, NotFoundError */
  locateUri(uri: string): Promise<Location> {
    return locateUri(this.#locator, uri);
  }

  /**
   * Where something is to be created: a path as an agent writes it. Folders above it may be missing.
   *
   * @param source what is moved there
   * @throws UserError if something is there, or it is closed to the agent
   */
  locateNew(path: string, source?: Location): Promise<NewPath> {
    return locateNew(this.#locator, path, source);
  }

  /** For lists that VS Code makes: the location of a URI; undefined if this agent may not know it. */
  permitted(uri: vscode.Uri): Promise<Location | undefined> {
    return permitted(this.#locator, uri);
  }

  displayPath(uri: vscode.Uri): string {
    return displayPath(this.#locator, uri);
  }

  /** @throws UserError, NotFoundError */
  read(location: Location, makeRoom?: MakeRoom): Promise<ShownContent> {
    return this.redactor.read(location, makeRoom);
  }

  /** The text of a file on the disk, whatever editors show; undefined if something of it is hidden from agents. @throws UserError, NotFoundError */
  async textOnDisk(location: Location): Promise<string | undefined> {
    this.policy.requireOperation('read');
    this.redactor.redaction.require();
    const file = await readDisk(this.#locator, location);
    const text = file && decodeUtf8(file.bytes);
    return text === undefined || this.redactor.text(text, location.path) !== text ? undefined : text;
  }

  /** Lines of a text file as agents may see them, by their numbers (0-based). @throws UserError, NotFoundError */
  lines(location: Location, wanted: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.redactor.lines(location, wanted);
  }

  openDocument(location: Location): vscode.TextDocument | undefined {
    return openDocument(this.#window.vscode, location);
  }

  /** The open document, or one that VS Code loads without an editor for it. @throws UserError if it is a folder, too large, or not text; NotFoundError */
  async loadDocument(location: Location): Promise<vscode.TextDocument> {
    return this.openDocument(location) ?? loadDocument(this.#locator, location);
  }

  /** Undefined if it does not exist. */
  stat({ uri }: { uri: vscode.Uri }): Promise<FileStat | undefined> {
    return fileStat(this.#window.vscode, uri);
  }

  /** The facts of a list entry; undefined if it is gone or closed. */
  look({ uri }: { uri: vscode.Uri }, sniffs = false): Promise<ListedLook | undefined> {
    return listedLook(this.#locator, uri, sniffs);
  }

  /** All files, sorted by URI, without those that are ignored, excluded or closed to this agent. @throws CancelledError */
  async list(signal?: AbortSignal): Promise<FileList> {
    this.#window.watcher.outdateUnwatched();
    const all = await this.#listing.files(signal);
    await this.#window.lookForGit(all);
    const { verdicts } = this.policy;
    if (this.#listed?.all !== all || this.#listed.verdicts !== verdicts) {
      const files = all.judgedBy((file) => this.policy.mayList(file.policyPath));
      this.#listed = { all, verdicts, files };
    }
    return this.#listed.files;
  }

  /**
   * The direct children of a folder, in no order, without those that are ignored, excluded or closed to this agent. Of a folder
   * that is ignored itself, all that are not closed.
   */
  children(
    location: Location,
    signal?: AbortSignal,
  ): Promise<{ children: readonly Child[]; isIgnored?: boolean }> {
    const isOpen = (uri: vscode.Uri) => this.mayTellOf(uri);
    return childrenIn(this.#locator, location, () => this.list(signal), isOpen);
  }

  /** Files of a folder inside a workspace folder by the end of their names, ignored ones too. */
  inFolder(folder: vscode.WorkspaceFolder, path: string, ending: string): Promise<Location[]> {
    return filesIn(this.#locator, this.#window.vscode.Uri.joinPath(folder.uri, path), ending);
  }

  search(query: SearchQuery, signal: AbortSignal): Promise<SearchLine[]> {
    return searchText(this.#locator, this.#listing, query, signal);
  }

  /** Replaces in a text what {@link search} finds. @throws UserError, CancelledError */
  replaceIn(text: string, replacing: Replacing, signal: AbortSignal): Promise<ReplacedText> {
    return replaceText(this.#locator, text, replacing, signal);
  }

  /** Whether this agent may know a file, by its name alone, without reading the disk. */
  mayTellOf(uri: vscode.Uri): boolean {
    const { verdicts } = this.policy;
    if (this.#told.of !== verdicts || this.#told.names.size > MOST_TOLD)
      this.#told = { of: verdicts, names: new Map() };
    const key = uri.toString();
    const known = this.#told.names.get(key);
    if (known !== undefined) return known;
    const may = isUnnamed(uri) ? this.policy.mayListUnnamed() : this.policy.mayList(policyPath(uri));
    this.#told.names.set(key, may);
    return may;
  }

  /** Fires when folders, access settings or client roots change. */
  watchRules(onChange: () => void): vscode.Disposable {
    return this.#watchLists(onChange, () => false);
  }

  /** Fires when `list` would differ. */
  watchList(onList: () => void): vscode.Disposable {
    return this.#watchLists(onList, ({ policyPath }) => this.policy.mayList(policyPath));
  }

  /** Fires with the files whose content changed, of those that this agent may know. */
  watchContent(onContent: (uri: vscode.Uri) => void): vscode.Disposable {
    return this.#window.watcher.onContent((uri) => {
      if (this.mayTellOf(uri)) onContent(uri);
    });
  }

  /** @param counts whether a file that came or went is a reason to fire */
  #watchLists(onChange: () => void, counts: (file: ListedFile) => boolean): vscode.Disposable {
    const listening = this.#window.watcher.onList((differing) => {
      if (!differing || differing.some(counts)) onChange();
    });
    return this.#window.vscode.Disposable.from(listening, this.#roots.onDidChange(onChange));
  }
}
