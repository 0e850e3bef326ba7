import type * as vscode from 'vscode';
import type { Policy } from '../access/policy.ts';
import { isUnnamed, policyPath } from '../access/policyInputs.ts';
import { requireNothingRedacted } from '../access/redaction/redaction.ts';
import { UserError, unlessUserError } from '../core/errors.ts';
import { withLf } from '../core/text/replacements.ts';
import { withDeadline } from '../util/deadline.ts';
import type { Author } from './edit/journal.ts';
import { locateNew, type Target } from './edit/operations/target.ts';
import { FileEdits } from './fileEdits.ts';
import { type Child, childrenOf, childrenOnDisk, namesIn, otherChildren } from './list/children.ts';
import type { FileList } from './list/fileList.ts';
import type { ListedFile } from './list/listedFile.ts';
import { Listing } from './list/listing.ts';
import { locateMeant, withNearPaths } from './list/nearPaths.ts';
import { AgentPlace, codeAt, type Standing } from './place.ts';
import { displayPath, openDocument } from './read/displayPath.ts';
import { type FileStat, fileStat, requireFile } from './read/fileStat.ts';
import { type ListedLook, listedLook } from './read/inspectListed.ts';
import { locate, locateShown } from './read/locate.ts';
import { locateUri, permitted } from './read/locateUri.ts';
import type { Location, Locator } from './read/location.ts';
import { type MakeRoom, readContent, requireReadable, type Shown } from './read/readContent.ts';
import { readLines } from './read/readLines.ts';
import { Redactor } from './read/redactor.ts';
import type { SearchLine } from './search/ripgrepEvents.ts';
import type { SearchQuery } from './search/searchQuery.ts';
import { searchText } from './search/searchText.ts';
import type { WindowFiles } from './windowFiles.ts';

/** The roots that an agent's client declared, and where its process works. */
export interface ClientRoots extends Standing {
  /** Calls the listener when the roots change. */
  onDidChange(listener: () => void): { dispose(): void };
}

/**
 * The files of the window, as one agent may use them. Features reach files only through this class, and the policy checks
 * every file that it returns.
 */
export class Files {
  readonly policy: Policy;
  /** Where the agent works. */
  readonly place: AgentPlace;
  /** Redacts other text, such as the output of terminals. */
  readonly redactor: Redactor;
  /** Changes files. */
  readonly edits: FileEdits;
  readonly #window: WindowFiles;
  readonly #locator: Locator;
  readonly #roots: ClientRoots;
  #ownListing: Listing | undefined;
  /** The list as this agent may see it, kept until files or access rules change. */
  #listed: { all: FileList; verdict: string; files: FileList } | undefined;
  readonly connectedAt = new Date();

  /** @param author the agent, by whose name its edits are remembered */
  constructor(
    window: WindowFiles,
    clientRoots: ClientRoots,
    author: () => Author = () => ({ id: 0, agent: 'agent' }),
  ) {
    const { world, vscode } = window;
    this.#window = window;
    this.#roots = clientRoots;
    this.policy = world.policy(() => clientRoots.paths);
    this.place = new AgentPlace(world, clientRoots);
    this.#locator = { vscode: codeAt(vscode, this), world, policy: this.policy, place: this.place };
    this.redactor = new Redactor(this.#locator);
    this.edits = new FileEdits(window, {
      ...{ locator: this.#locator, redactor: this.redactor, author },
      load: (location) => this.loadDocument(location),
      requireFile: (location) => this.#requireFile(location),
    });
  }

  /** Resolves when the window has restored the unsaved text from before its reload: to false if that takes too long. */
  restored(): Promise<boolean> {
    return this.#window.restored.known();
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
    return locate(this.#locator, path).catch(withNearPaths(this.#locator, path, this.#listing.known));
  }

  /** The file that a result shows by this path, wherever the agent works. @throws UserError, NotFoundError */
  locateShown(path: string): Promise<Location> {
    return locateShown(this.#locator, path);
  }

  /** The same as `locate` for what is only read: names may differ in characters that look the same. @throws UserError, NotFoundError */
  locateMeant(path: string): Promise<Location> {
    return locateMeant(this.#locator, path, this.#listing.known);
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
  locateNew(path: string, source?: Location): Promise<Target> {
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
  async read(location: Location, makeRoom?: MakeRoom): Promise<Shown> {
    const { redactor } = this;
    this.policy.requireOperation('read');
    redactor.redaction.require();
    const content = await readContent(this.#locator, location, makeRoom);
    if (content.kind === 'binary')
      requireNothingRedacted(redactor.redaction.of(location.path), location.path, content.bytes);
    if (content.kind !== 'text') return content;
    const text = redactor.text(content.text, location.path);
    const readNotebook = redactor.notebook(location);
    return {
      ...content,
      text,
      ...(text !== content.text && { isRedacted: true }),
      ...(readNotebook && { notebook: () => readNotebook(content.text) }),
    };
  }

  /**
   * Lines of a text file as agents may see them, by their numbers (0-based); none of other files. Of the text in the editor, if
   * it is open: that is what language servers speak of.
   *
   * @throws UserError, NotFoundError
   */
  async lines(location: Location, wanted: readonly number[]): Promise<ReadonlyMap<number, string>> {
    this.policy.requireOperation('read');
    const document = this.openDocument(location);
    if (document) return this.#linesOf(document, location, wanted);
    const lines = await readLines(this.#locator, location, wanted);
    if (lines) return lines;
    const content = await this.read(location);
    const all = content.kind === 'text' ? withLf(content.text).split('\n') : [];
    return new Map(wanted.flatMap((line) => (line < all.length ? [[line, all[line] ?? ''] as const] : [])));
  }

  async #linesOf(
    document: vscode.TextDocument,
    location: Location,
    wanted: readonly number[],
  ): Promise<ReadonlyMap<number, string>> {
    requireReadable(this.policy, location, document.getText().length);
    const lineAt = await this.redactor.partsOf(document);
    return new Map(
      wanted.flatMap((line) => (line < document.lineCount ? [[line, lineAt(line)] as const] : [])),
    );
  }

  openDocument(location: Location): vscode.TextDocument | undefined {
    return openDocument(this.#window.vscode, location);
  }

  /** Has VS Code load the document, without an editor for it. @throws UserError if it is a folder, too large, or not text; NotFoundError */
  async loadDocument(location: Location): Promise<vscode.TextDocument> {
    const { workspace } = this.#window.vscode;
    await this.#requireFile(location);
    const opening = withDeadline(workspace.openTextDocument(location.uri), `opening ${location.path}`);
    const document = await opening.catch(
      unlessUserError(() => {
        throw new UserError(`VS Code does not open ${location.path} as text: it is binary or too large.`);
      }),
    );
    await this.#requireSame(location); // a link may have replaced it, and VS Code follows it
    return document;
  }

  /** @throws UserError if the path now leads elsewhere */
  async #requireSame({ uri, path, realPath }: Location): Promise<void> {
    const now = await this.locateUri(uri.toString());
    if (now.realPath !== realPath) throw new UserError(`${path} was replaced while it was read. Try again.`);
  }

  /** Gives the reason that VS Code's own error for a folder or a missing file lacks. @throws UserError, NotFoundError */
  async #requireFile(location: Location): Promise<void> {
    if (this.openDocument(location)) return;
    const { size } = requireFile(location, await this.stat(location));
    requireReadable(this.policy, location, size);
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
    const verdict = this.policy.verdictKey();
    if (this.#listed?.all !== all || this.#listed.verdict !== verdict) {
      const files = all.judgedBy((file) => this.policy.mayList(file.policyPath));
      this.#listed = { all, verdict, files };
    }
    return this.#listed.files;
  }

  /**
   * The direct children of a folder, in no order, without those that are ignored, excluded or closed to this agent. Of a folder
   * that is ignored itself, all that are not closed.
   */
  async children(
    location: Location,
    signal?: AbortSignal,
  ): Promise<{ children: readonly Child[]; isIgnored?: boolean }> {
    const { uri, targetUri = uri } = location;
    this.policy.requireOperation('read');
    const { vscode } = this.#locator;
    if (vscode.workspace.getWorkspaceFolder(targetUri)) {
      const listed = childrenOf(await this.list(signal), vscode, targetUri);
      if (targetUri.scheme !== 'file') return { children: listed };
      const others = await otherChildren(vscode, targetUri, listed);
      const children = [...listed, ...others.filter((child) => this.mayTellOf(child.uri))];
      if (children.length > 0) return { children };
    }
    const onDisk = await childrenOnDisk(vscode, targetUri);
    await this.#requireSame(location); // a link may have replaced it
    return { children: onDisk.filter((child) => this.mayTellOf(child.uri)), isIgnored: onDisk.length > 0 };
  }

  /** Files of a folder inside a workspace folder by the end of their names, ignored ones too. */
  async inFolder(
    folder: vscode.WorkspaceFolder,
    path: string,
    ending: string,
    { isDeep = false } = {},
  ): Promise<Location[]> {
    const { vscode } = this.#window;
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const names = (await namesIn(vscode, uri, isDeep)).filter((name) => name.endsWith(ending)).sort();
    const found = await Promise.all(names.map((name) => this.permitted(vscode.Uri.joinPath(uri, name))));
    return found.filter((location) => location !== undefined);
  }

  search(query: SearchQuery, signal: AbortSignal): Promise<SearchLine[]> {
    return searchText(this.#locator, this.#listing, query, signal);
  }

  /** Whether this agent may know a file, by its name alone, without reading the disk. */
  mayTellOf(uri: vscode.Uri): boolean {
    if (isUnnamed(uri)) return this.policy.mayListUnnamed();
    return this.policy.mayList(policyPath(uri));
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
