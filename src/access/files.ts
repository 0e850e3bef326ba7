import { readdir, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { withLf } from '../core/replacements.ts';
import { UserError } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';
import type { Log } from '../util/log.ts';
import { Turns } from '../util/turns.ts';
import type { ApprovalRequest } from './approvals.ts';
import { Changes } from './changes.ts';
import { type Child, childrenOf } from './children.ts';
import { type Content, readContent, sniff, tooLarge } from './content.ts';
import { type Edited, type EditPlan, type EditRequest, editDocument, requireVersion } from './edits.ts';
import { type ListedFile, Listing } from './listing.ts';
import { displayPath, type Location, type Locator, locate, locateUri, openDocument } from './locate.ts';
import { Policy } from './policy.ts';
import { type SearchQuery, searchText } from './search.ts';
import type { SearchLine } from './searchLines.ts';
import { policyPath, World } from './world.ts';

/** What all agents of a window share: the list of its files, and who is told when it changes. */
export class WindowFiles {
  readonly vscode: typeof vscode;
  readonly world: World;
  readonly listing: Listing;
  readonly changes: Changes;
  /** Edits of the same file, by whichever agent. */
  readonly edits = new Turns();

  constructor(code: typeof vscode, log: Log) {
    this.vscode = code;
    this.world = new World(code);
    this.listing = new Listing(code);
    this.changes = new Changes(code, this.listing, log);
  }

  dispose(): void {
    this.changes.dispose();
    this.world.dispose();
  }
}

/** What one agent may do. */
export interface AgentAccess {
  /** Real paths that its client declared as its roots; undefined where it declared none. */
  clientRoots(): readonly string[] | undefined;
  /** Resolves once the person has agreed. */
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<void>;
}

export interface FileStat {
  isFolder: boolean;
  /** Neither a folder nor a pipe, a device or a socket. */
  isFile: boolean;
  /** Bytes. */
  size: number;
  modifiedAt: Date;
}

/**
 * The files of the window as one agent may use them. Features reach files only through this, and nothing here hands out
 * a file that the policy has not judged.
 */
export class Files {
  readonly policy: Policy;
  readonly #window: WindowFiles;
  readonly #locator: Locator;
  readonly #approve: AgentAccess['approve'];
  /** The list as this agent may see it, kept while neither the files nor what is closed have changed. */
  #listed: { all: readonly ListedFile[]; verdict: string; files: readonly ListedFile[] } | undefined;

  constructor(window: WindowFiles, { clientRoots, approve }: AgentAccess) {
    const { world, vscode } = window;
    this.#window = window;
    this.#approve = approve;
    this.policy = new Policy({
      folders: () => world.folders(),
      settings: () => world.settings(),
      isTrusted: () => world.isTrusted(),
      clientRoots,
      platform: process.platform,
    });
    this.#locator = { vscode, world, policy: this.policy };
  }

  folders(): readonly vscode.WorkspaceFolder[] {
    return this.#window.vscode.workspace.workspaceFolders ?? [];
  }

  /** A path as an agent writes it. @throws UserError, NotFoundError */
  locate(path: string): Promise<Location> {
    return locate(this.#locator, path);
  }

  /** @throws UserError, NotFoundError */
  locateUri(uri: string): Promise<Location> {
    return locateUri(this.#locator, uri);
  }

  /** For lists that VS Code makes: the location of a URI, or undefined where this agent may not know of it. */
  async permitted(uri: vscode.Uri): Promise<Location | undefined> {
    try {
      return await locateUri(this.#locator, uri.toString());
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }

  displayPath(uri: vscode.Uri): string {
    return displayPath(this.#locator, uri);
  }

  /** @throws UserError, NotFoundError */
  async read(location: Location): Promise<Content> {
    this.policy.requireOperation('read');
    return readContent(this.#locator, location);
  }

  openDocument(location: Location): vscode.TextDocument | undefined {
    return openDocument(this.#window.vscode, location);
  }

  /** Has VS Code load the document, without an editor for it. @throws UserError where it is too large, or VS Code does not take it for text */
  async loadDocument(location: Location): Promise<vscode.TextDocument> {
    const { workspace } = this.#window.vscode;
    await this.#requireSize(location);
    return withDeadline(workspace.openTextDocument(location.uri), `opening ${location.path}`).catch(
      (error) => {
        if (error instanceof UserError) throw error;
        throw new UserError(`VS Code does not open ${location.path} as text: it is binary or too large.`);
      },
    );
  }

  /**
   * Changes the text of a file in the editor, after the person has agreed.
   *
   * @throws UserError where it is denied or does not fit, NotFoundError, CancelledError
   */
  edit(location: Location, request: EditRequest): Promise<Edited> {
    const access = {
      locator: this.#locator,
      open: (one: Location) => this.#openToEdit(one),
      approve: this.#approve,
      turns: this.#window.edits,
    };
    return editDocument(access, location, request);
  }

  /** The text before and after an edit that is not done; nobody is asked. @throws UserError, NotFoundError */
  async preview(
    location: Location,
    { plan, expectedVersion }: EditPlan,
  ): Promise<{ before: string; after: string }> {
    const { text, document } = await this.#readText(location);
    requireVersion(location, document?.version ?? 1, expectedVersion); // as it would be once loaded
    const before = withLf(text);
    return { before, after: plan(before) };
  }

  async #openToEdit({ uri }: Location): Promise<vscode.TextDocument> {
    this.policy.requireOperation('edit');
    const location = await this.locateUri(uri.toString());
    // What is no text, or too large to be read, is refused in our own words.
    const { document } = await this.#readText(location);
    return document ?? this.loadDocument(location);
  }

  async #readText(location: Location): Promise<Extract<Content, { kind: 'text' }>> {
    const content = await this.read(location);
    if (content.kind === 'text') return content;
    const what = content.kind === 'folder' ? 'a folder' : `not text (${content.bytes.length} bytes)`;
    throw new UserError(`${location.path} is ${what}: only the text of a file can be edited.`);
  }

  async #requireSize(location: Location): Promise<void> {
    const size = this.openDocument(location) ? 0 : ((await this.stat(location))?.size ?? 0);
    const limit = this.policy.maxFileSize(policyPath(location.uri));
    if (size > limit) throw tooLarge(location, size, limit);
  }

  /** Undefined where it has gone. */
  async stat({ uri }: { uri: vscode.Uri }): Promise<FileStat | undefined> {
    try {
      if (uri.scheme === 'file') {
        const { size, mtime, ...entry } = await stat(uri.fsPath).then((found) => ({
          size: found.size,
          mtime: found.mtime,
          isFolder: found.isDirectory(),
          isFile: found.isFile(),
        }));
        return { ...entry, size, modifiedAt: mtime };
      }
      const { vscode } = this.#window;
      const found = await withDeadline(vscode.workspace.fs.stat(uri), `looking at ${uri.path}`);
      return {
        isFolder: (found.type & vscode.FileType.Directory) !== 0,
        isFile: (found.type & vscode.FileType.File) !== 0,
        size: found.size,
        modifiedAt: new Date(found.mtime),
      };
    } catch {
      return undefined;
    }
  }

  /** Whether a file on the disk looks like text by its beginning; undefined where that cannot be told. */
  async looksLikeText({ uri }: { uri: vscode.Uri }): Promise<boolean | undefined> {
    if (uri.scheme !== 'file') return undefined;
    return sniff(uri.fsPath).catch(() => undefined);
  }

  /** All files, sorted by URI, without those that are ignored, excluded or closed to this agent. */
  async list(): Promise<readonly ListedFile[]> {
    const all = await this.#window.listing.files();
    const verdict = this.policy.verdictKey();
    if (this.#listed?.all !== all || this.#listed.verdict !== verdict) {
      this.#listed = { all, verdict, files: all.filter((file) => this.policy.mayList(file.policyPath)) };
    }
    return this.#listed.files;
  }

  /** What lies directly in a folder, in no order, without what is ignored, excluded or closed to this agent. */
  async children({ uri, targetUri = uri }: Location): Promise<readonly Child[]> {
    this.policy.requireOperation('read');
    const { vscode } = this.#window;
    if (vscode.workspace.getWorkspaceFolder(targetUri))
      return childrenOf(await this.list(), vscode, targetUri);
    // Outside the workspace, where the person has opened it to agents, nothing is listed beforehand.
    const entries = await readdir(targetUri.fsPath, { withFileTypes: true }).catch((error: Error) => {
      throw new UserError(`${targetUri.fsPath} cannot be listed: ${error.message}`);
    });
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({
        name: entry.name,
        isFolder: entry.isDirectory(),
        uri: vscode.Uri.joinPath(targetUri, entry.name),
      }))
      .filter((child) => this.mayTellOf(child.uri));
  }

  /** Files of a folder inside a workspace folder by the end of their names, ignored ones too. */
  async inFolder(folder: vscode.WorkspaceFolder, path: string, ending: string): Promise<Location[]> {
    const { vscode } = this.#window;
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const entries = folder.uri.scheme === 'file' ? readdir(uri.fsPath) : namesIn(vscode, uri);
    const names = (await entries.catch(() => [])).filter((name) => name.endsWith(ending)).sort();
    const found = await Promise.all(names.map((name) => this.permitted(vscode.Uri.joinPath(uri, name))));
    return found.filter((location) => location !== undefined);
  }

  search(query: SearchQuery, signal: AbortSignal): Promise<SearchLine[]> {
    return searchText(this.#locator, this.#window.listing, query, signal);
  }

  /** Whether this agent may be told of a file, by its name alone: the disk is not asked. */
  mayTellOf(uri: vscode.Uri): boolean {
    return this.policy.mayList(policyPath(uri));
  }

  /** Tells when `list` would differ, and which files' content did change: of those that this agent may know of. */
  watch(onList: () => void, onContent: (uri: vscode.Uri) => void): vscode.Disposable {
    return this.#window.changes.listen(
      (differing) => {
        if (!differing || differing.some((file) => this.policy.mayList(file.policyPath))) onList();
      },
      (uri) => {
        if (this.mayTellOf(uri)) onContent(uri);
      },
    );
  }
}

async function namesIn({ workspace }: typeof vscode, uri: vscode.Uri): Promise<string[]> {
  const entries = await withDeadline(workspace.fs.readDirectory(uri), `listing ${uri.path}`);
  return entries.map(([name]) => name);
}
