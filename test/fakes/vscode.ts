/**
 * As much of VS Code as the features touch, over real files. What is not here throws, so that a test notices a feature
 * that begins to use more. The person's side is played by the methods of the `person`.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';
import { isWithin } from '../../src/core/paths.ts';
import { edited, WorkspaceEdit } from './edits.ts';
import { Emitter } from './emitter.ts';
import { FakeFileSystem } from './fileSystem.ts';
import { FakeGit } from './git.ts';
import { FakeRuns } from './runs.ts';
import { FakeDiagnostic, FakeDocument, Position, Range, Selection } from './text.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface FakeTab {
  input: { uri: vscode.Uri };
  isActive: boolean;
  isDirty: boolean;
  isPinned: boolean;
  isPreview: boolean;
  /** Of its group; the active one, which is 1, where nothing is said. */
  viewColumn?: number;
  group?: FakeGroup;
}

interface FakeGroup {
  isActive: boolean;
  viewColumn: number;
  tabs: readonly FakeTab[];
  activeTab: FakeTab | undefined;
}

/** The editor that has the keyboard. */
interface FakeEditor {
  document: FakeDocument;
  /** None for a side of a diff. */
  viewColumn?: number;
  selection?: unknown;
  revealRange?(range: Range): void;
  selections?: readonly Selection[];
  visibleRanges?: readonly Range[];
}

export type Settings = Record<string, unknown>;

/** A folder by its path, or by the name that the workspace file gives it as well; in a virtual file system by its scheme. */
type FakeFolder = string | { path: string; name: string; scheme?: string };

export interface FakeOptions {
  folders: readonly FakeFolder[];
  /** Values by full name: the person's own, the workspace's, and those of every folder. */
  user?: Settings;
  workspace?: Settings;
  folder?: Settings;
  isTrusted?: boolean;
  /** Where ripgrep is looked for; the repository's node_modules by default. */
  appRoot?: string;
}

const Uri = Object.assign(URI, { joinPath: Utils.joinPath }) as unknown as typeof vscode.Uri;

class Disposable {
  readonly #dispose: () => void;
  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }
  static from(...items: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const item of items) item.dispose();
    });
  }
  dispose(): void {
    this.#dispose();
  }
}

class CancellationTokenSource {
  readonly #cancelled = new Emitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }
  dispose(): void {}
}

class RelativePattern {
  readonly baseUri: vscode.Uri;
  readonly pattern: string;
  constructor(base: vscode.WorkspaceFolder | vscode.Uri, pattern: string) {
    this.baseUri = 'uri' in base ? base.uri : base;
    this.pattern = pattern;
  }
}

const defaults: Settings = {
  'files.exclude': { '**/.git': true },
  'files.encoding': 'utf8',
  'workspaceMcp.access.allowedPaths': [],
  'workspaceMcp.access.deniedPaths': [],
  'workspaceMcp.access.maxFileSize': 10 * 1024 * 1024,
  'workspaceMcp.access.allowedOperations': ['read', 'edit', 'delete', 'run', 'command'],
  'workspaceMcp.access.redact': [],
};

export class FakeVscode {
  /** How VS Code decodes what is not UTF-8. */
  decodes = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
  encodes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  /** Lists the files of a folder where there is no ripgrep. */
  findsFiles: (folder: vscode.Uri, token: vscode.CancellationToken) => Promise<vscode.Uri[]> = listAll;
  /** Every command that was run, with its arguments. */
  readonly commandsRun: { command: string; args: unknown[] }[] = [];
  readonly documents: FakeDocument[] = [];
  readonly notebooks: { uri: vscode.Uri; isDirty: boolean; getCells?(): unknown[] }[] = [];
  readonly diagnostics = new Map<string, vscode.Diagnostic[]>();
  readonly tabs: FakeTab[] = [];
  readonly runs = new FakeRuns();
  readonly git = new FakeGit();
  /** By their manifests. */
  readonly extensions: { id: string; packageJSON: object; activate(): Promise<void> }[] = [];
  readonly fileSystem = new FakeFileSystem();
  /** What a command is answered by; undefined without one. */
  readonly answers = new Map<string, (...args: unknown[]) => unknown>();
  activeTextEditor: FakeEditor | undefined;
  /** Editors besides that one that are in sight. */
  readonly otherEditors: FakeEditor[] = [];
  /** Reports at once on every change. */
  languageServer: ((document: FakeDocument) => vscode.Diagnostic[]) | undefined;
  /** What happens before the workbench looks at an edit. */
  beforeEdit: () => void = () => {};
  readonly #options: FakeOptions;
  #folders: vscode.WorkspaceFolder[];
  #isTrusted: boolean;
  readonly #onFolders = new Emitter<vscode.WorkspaceFoldersChangeEvent>();
  readonly #onConfiguration = new Emitter<vscode.ConfigurationChangeEvent>();
  readonly #onText = new Emitter<unknown>();
  readonly #onNotebook = new Emitter<unknown>();
  readonly #onOpen = new Emitter<unknown>();
  readonly #onSave = new Emitter<unknown>();
  readonly #onClose = new Emitter<unknown>();
  readonly #onTabs = new Emitter<Record<'opened' | 'closed' | 'changed', readonly FakeTab[]>>();
  readonly #onTabGroups = new Emitter<unknown>();
  readonly #onActiveEditor = new Emitter<FakeEditor | undefined>();
  readonly #onSelection = new Emitter<{ textEditor: FakeEditor }>();
  readonly #onVisibleRanges = new Emitter<{ textEditor: FakeEditor }>();
  readonly #onTrust = new Emitter<void>();
  readonly #onDiagnostics = new Emitter<{ uris: readonly vscode.Uri[] }>();
  readonly #onCreate = new Emitter<vscode.Uri>();
  readonly #onDelete = new Emitter<vscode.Uri>();
  readonly #onChange = new Emitter<vscode.Uri>();

  constructor(options: FakeOptions) {
    this.#options = options;
    this.#folders = options.folders.map(folderOf);
    this.#isTrusted = options.isTrusted ?? true;
  }

  /** An extension that VS Code starts for a language. */
  installs(languageId: string, isBuiltin = false): void {
    const packageJSON = { main: 'main.js', activationEvents: [`onLanguage:${languageId}`], isBuiltin };
    const id = `${isBuiltin ? 'vscode' : 'vendor'}.${languageId}-language-features`;
    this.extensions.push({ id, packageJSON, activate: async () => {} });
  }

  /** The API as a feature gets it. */
  readonly api = strict({
    Uri,
    CancellationTokenSource,
    Disposable,
    RelativePattern,
    Position,
    Range,
    Selection,
    WorkspaceEdit,
    ViewColumn: { Active: -1, Beside: -2 },
    TextEditorRevealType: { InCenterIfOutsideViewport: 2 },
    FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
    version: '1.101.0',
    env: strict({ appRoot: '', appName: 'Fake Code' }),
    workspace: live(
      {
        workspaceFolders: () => this.#folders,
        textDocuments: () => this.documents,
        notebookDocuments: () => this.notebooks,
        isTrusted: () => this.#isTrusted,
        name: () => this.#folders[0]?.name,
        workspaceFile: () => undefined,
      },
      {
        fs: this.fileSystem.api,
        getWorkspaceFolder: (uri: vscode.Uri) => this.#folderOf(uri),
        asRelativePath: (uri: vscode.Uri) => uri.path.slice((this.#folderOf(uri)?.uri.path.length ?? -1) + 1),
        getConfiguration: (section: string, scope?: vscode.Uri | null) => this.#configuration(section, scope),
        openTextDocument: async (uri: vscode.Uri) => this.#documentOf(uri) ?? this.person.loads(uri.fsPath),
        applyEdit: (edit: WorkspaceEdit) => this.#apply(edit),
        findFiles: (
          { baseUri }: RelativePattern,
          _exclude: undefined,
          _max: undefined,
          token: vscode.CancellationToken,
        ) => this.findsFiles(baseUri, token),
        decode: async (bytes: Uint8Array) => this.decodes(bytes),
        encode: async (text: string) => this.encodes(text),
        createFileSystemWatcher: (pattern: string | RelativePattern) => this.#watcher(pattern),
        onDidChangeWorkspaceFolders: this.#onFolders.event,
        onDidChangeConfiguration: this.#onConfiguration.event,
        onDidOpenTextDocument: this.#onOpen.event,
        onDidChangeTextDocument: this.#onText.event,
        onDidChangeNotebookDocument: this.#onNotebook.event,
        onDidCloseTextDocument: this.#onClose.event,
        onDidGrantWorkspaceTrust: this.#onTrust.event,
        onDidSaveTextDocument: this.#onSave.event,
      },
    ),
    window: live(
      {
        activeTextEditor: () => this.activeTextEditor,
        visibleTextEditors: () => [this.activeTextEditor ?? [], this.otherEditors].flat(),
        terminals: () => this.runs.terminals,
        activeTerminal: () => this.runs.activeTerminal,
      },
      {
        ...this.runs.window,
        onDidChangeActiveTextEditor: this.#onActiveEditor.event,
        onDidChangeTextEditorSelection: this.#onSelection.event,
        onDidChangeTextEditorVisibleRanges: this.#onVisibleRanges.event,
        tabGroups: live(
          {
            all: () => this.#groups(),
            activeTabGroup: () => this.#groups()[0],
          },
          {
            onDidChangeTabs: this.#onTabs.event,
            onDidChangeTabGroups: this.#onTabGroups.event,
            close: async (tabs: readonly FakeTab[]) => this.#closeTabs(tabs),
          },
        ),
      },
    ),
    tasks: strict(this.runs.tasks),
    extensions: strict({ all: this.extensions, getExtension: (id: string) => this.git.extension(id) }),
    Diagnostic: FakeDiagnostic,
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    languages: strict({
      getDiagnostics: (uri?: vscode.Uri) =>
        uri
          ? (this.diagnostics.get(uri.toString()) ?? [])
          : [...this.diagnostics].map(([key, list]) => [Uri.parse(key), list]),
      onDidChangeDiagnostics: this.#onDiagnostics.event,
    }),
    commands: strict({
      executeCommand: async (command: string, ...args: unknown[]) => {
        this.commandsRun.push({ command, args });
        if (command === 'vscode.open') this.person.opensTab((args[0] as vscode.Uri).fsPath);
        return this.answers.get(command)?.(...args);
      },
    }),
  }) as unknown as typeof vscode;

  /** What the person, and the disk, do. */
  readonly person = {
    loads: (path: string, text?: string): FakeDocument => {
      const document = new FakeDocument(Uri.file(path), text);
      this.documents.push(document);
      this.#onOpen.fire(document);
      return document;
    },
    /** A text that has no file yet; without text it is not dirty. */
    opensUntitled: (name: string, text = ''): FakeDocument => {
      const document = new FakeDocument(Uri.parse(`untitled:${name}`), text);
      document.isDirty = text !== '';
      this.documents.push(document);
      this.#onOpen.fire(document);
      return document;
    },
    types: (document: FakeDocument, text: string): void => {
      document.type(text);
      this.#onText.fire({ document, contentChanges: [{ text }] });
      if (this.languageServer) this.person.reports(document.uri.fsPath, this.languageServer(document));
    },
    undoes: (document: FakeDocument): void => {
      document.undo();
      this.#onText.fire({ document, contentChanges: [{}] });
    },
    /** Also VS Code itself, some time after a document was loaded that no tab shows. */
    closes: (document: FakeDocument): void => {
      document.isClosed = true;
      this.documents.splice(this.documents.indexOf(document), 1);
      this.#onClose.fire(document);
    },
    /** To a file that the watcher may not tell of. */
    saves: (document: FakeDocument): void => this.#onSave.fire(document),
    /** In a tab; the document is loaded first where it is not. */
    opensTab: (path: string): FakeDocument => {
      const uri = Uri.file(path);
      const document = this.#documentOf(uri) ?? this.person.loads(path);
      const tab = { input: { uri }, isActive: false, isDirty: false, isPinned: false, isPreview: false };
      this.tabs.push(tab);
      this.#onTabs.fire({ opened: [tab], closed: [], changed: [] });
      return document;
    },
    /** Into the editor that has the keyboard from now on. */
    goesTo: (editor: FakeEditor | undefined): void => {
      this.activeTextEditor = editor;
      this.#onActiveEditor.fire(editor);
    },
    selects: (editor: FakeEditor, ...selections: Selection[]): void => {
      editor.selections = selections;
      this.#onSelection.fire({ textEditor: editor });
    },
    trusts: (): void => {
      this.#isTrusted = true;
      this.#onTrust.fire();
    },
    changesNotebook: (path: string): void =>
      this.#onNotebook.fire({ notebook: { uri: Uri.file(path) }, cellChanges: [], contentChanges: [] }),
    createsFile: (path: string): void => this.#onCreate.fire(Uri.file(path)),
    deletesFile: (path: string): void => this.#onDelete.fire(Uri.file(path)),
    /** By its path, or its URI in a virtual file system. */
    changesFile: (file: string | vscode.Uri): void =>
      this.#onChange.fire(typeof file === 'string' ? Uri.file(file) : file),
    opensFolders: (folders: readonly FakeFolder[]): void => {
      this.#folders = folders.map(folderOf);
      this.#onFolders.fire({ added: [], removed: [] });
    },
    sets: (name: string, value: unknown, scope: 'user' | 'workspace' = 'user'): void => {
      this.#options[scope] = { ...this.#options[scope], [name]: value };
      this.#onConfiguration.fire({ affectsConfiguration: (section) => name.startsWith(section) });
    },
    reports: (file: string | vscode.Uri, diagnostics: vscode.Diagnostic[]): void => {
      const uri = typeof file === 'string' ? Uri.file(file) : file;
      this.diagnostics.set(uri.toString(), diagnostics);
      this.#onDiagnostics.fire({ uris: [uri] });
    },
  };

  /** Listeners that are still there: none may be once a window's last connection has ended. */
  get listeners(): number {
    const emitters = [
      this.#onFolders,
      this.#onConfiguration,
      this.#onText,
      this.#onNotebook,
      this.#onOpen,
      this.#onClose,
      this.#onSave,
    ];
    return [
      ...emitters,
      this.#onTabs,
      this.#onDiagnostics,
      this.#onTabGroups,
      this.#onActiveEditor,
      this.#onSelection,
      this.#onVisibleRanges,
      this.#onTrust,
      this.#onCreate,
      this.#onDelete,
      this.#onChange,
    ].reduce((sum, emitter) => sum + emitter.size, this.runs.listeners + this.git.listeners);
  }

  #documentOf(uri: vscode.Uri): FakeDocument | undefined {
    return this.documents.find((document) => document.uri.toString() === uri.toString());
  }

  /** As VS Code does: the workbench refuses an edit of a text that has changed since it was asked for. */
  async #apply(edit: WorkspaceEdit): Promise<boolean> {
    const document = edit.replacements[0] && this.#documentOf(edit.replacements[0].uri);
    const version = document?.version;
    const text = document && edited(document, edit);
    this.beforeEdit();
    await new Promise((resolve) => setImmediate(resolve));
    if (!document || text === undefined || document.version !== version) return false;
    // One that was closed meanwhile is loaded again.
    this.person.types(document.isClosed ? this.person.loads(document.uri.fsPath) : document, text);
    return true;
  }

  #groups(): [FakeGroup, ...FakeGroup[]] {
    const columns = new Set(this.tabs.map(({ viewColumn = 1 }) => viewColumn)).add(1);
    const [first = 1, ...others] = [...columns].sort((a, b) => a - b);
    return [this.#group(first), ...others.map((column) => this.#group(column))];
  }

  #group(column: number): FakeGroup {
    const tabs = this.tabs.filter(({ viewColumn = 1 }) => viewColumn === column);
    const activeTab = tabs.find(({ isActive }) => isActive);
    const group = { isActive: column === 1, viewColumn: column, tabs, activeTab };
    for (const tab of tabs) tab.group = group;
    return group;
  }

  #closeTabs(tabs: readonly FakeTab[]): boolean {
    for (const tab of tabs) this.tabs.splice(this.tabs.indexOf(tab), 1);
    return true;
  }

  #folderOf(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
    return [...this.#folders]
      .sort((a, b) => b.uri.path.length - a.uri.path.length)
      .find(
        ({ uri: { scheme, path } }) => scheme === uri.scheme && isWithin(uri.path, path, process.platform),
      );
  }

  /** Of one with `*` or a name, what lies directly in its base. */
  #watcher(pattern: string | RelativePattern) {
    const isHeard = (uri: vscode.Uri) =>
      typeof pattern === 'string' ||
      (`${Uri.joinPath(uri, '..')}` === `${pattern.baseUri}` &&
        (pattern.pattern === '*' || uri.path.endsWith(`/${pattern.pattern}`)));
    const filtered = (emitter: Emitter<vscode.Uri>) => (listener: (uri: vscode.Uri) => void) =>
      emitter.event((uri) => isHeard(uri) && listener(uri));
    return {
      onDidCreate: filtered(this.#onCreate),
      onDidDelete: filtered(this.#onDelete),
      onDidChange: filtered(this.#onChange),
      dispose: () => {},
    };
  }

  #configuration(section: string, scope: vscode.Uri | null | undefined) {
    const { user = {}, workspace = {}, folder = {} } = this.#options;
    const inspect = (key: string) => {
      const name = `${section}.${key}`;
      return {
        key: name,
        defaultValue: defaults[name],
        globalValue: user[name],
        workspaceValue: workspace[name],
        workspaceFolderValue: scope && folder[name],
      };
    };
    const get = (key: string, fallback?: unknown) => {
      const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } = inspect(key);
      return workspaceFolderValue ?? workspaceValue ?? globalValue ?? defaultValue ?? fallback;
    };
    const update = async (key: string, value: unknown) => this.person.sets(`${section}.${key}`, value);
    return { get, inspect, update };
  }

  static create(options: FakeOptions): FakeVscode {
    const fake = new FakeVscode(options);
    Object.assign(fake.api.env, { appRoot: options.appRoot ?? repository });
    return fake;
  }
}

const folderOf = (folder: FakeFolder, index: number): vscode.WorkspaceFolder => {
  const { path, scheme = 'file' } = typeof folder === 'string' ? { path: folder } : folder;
  const uri = Uri.file(path).with({ scheme });
  const name = typeof folder === 'string' ? uri.path.slice(uri.path.lastIndexOf('/') + 1) : folder.name;
  return { uri, name, index };
};

/** No extension brings a search of its own. */
async function listAll(folder: vscode.Uri): Promise<vscode.Uri[]> {
  if (folder.scheme !== 'file') return [];
  const entries = await readdir(folder.fsPath, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => Uri.file(join(entry.parentPath, entry.name)));
}

/** An object of which some members are read anew each time. */
function live(read: Record<string, () => unknown>, members: object): object {
  const properties = Object.entries(read).map(([name, get]) => [name, { get, enumerable: true }] as const);
  return strict(Object.defineProperties(members, Object.fromEntries(properties)));
}

/** Reading what is not there throws: the fake is too thin for the test, or the feature has grown. */
function strict<T extends object>(members: T): T {
  return new Proxy(members, {
    get(target, name, receiver) {
      if (name in target || typeof name === 'symbol' || name === 'then')
        return Reflect.get(target, name, receiver);
      throw new Error(`The fake of VS Code has no "${name}".`);
    },
  });
}
