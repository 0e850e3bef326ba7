import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import { edited, type FileOperation, type WorkspaceEdit } from './edits.ts';
import { Emitter, listenersOf } from './emitter.ts';
import type { FakeLanguages } from './languages.ts';
import { FakeNotebook } from './notebooks.ts';
import { FakeDocument } from './text.ts';
import { Uri } from './values.ts';

interface CellChange {
  executionSummary?: object;
  outputs?: unknown[];
}

/** The text documents and notebooks of a window. */
export class FakeDocuments {
  readonly all: FakeDocument[] = [];
  readonly notebooks: {
    uri: vscode.Uri;
    version?: number;
    isDirty: boolean;
    getCells?(): readonly unknown[];
  }[] = [];
  /** Runs before the workbench looks at an edit. */
  beforeEdit: () => void = () => {};
  readonly #languages: FakeLanguages;
  readonly #onOpen = new Emitter<unknown>();
  readonly #onChange = new Emitter<unknown>();
  readonly #onNotebookOpen = new Emitter<unknown>();
  readonly #onNotebook = new Emitter<unknown>();
  readonly #onNotebookClose = new Emitter<unknown>();
  readonly #onClose = new Emitter<unknown>();
  readonly #onSave = new Emitter<unknown>();
  readonly #onFiles = new Emitter<object>();
  readonly #onRename = new Emitter<object>();

  constructor(languages: FakeLanguages) {
    this.#languages = languages;
    languages.becomes = (document, languageId) => {
      this.#onClose.fire(document);
      Object.assign(document, { languageId });
      this.#onOpen.fire(document);
    };
  }

  readonly workspace = {
    openTextDocument: async (uri: vscode.Uri) => this.at(uri) ?? this.person.loads(uri.fsPath),
    openNotebookDocument: (uri: vscode.Uri) => this.#openNotebook(uri),
    applyEdit: (edit: WorkspaceEdit) => this.#apply(edit),
    onDidOpenTextDocument: this.#onOpen.event,
    onDidChangeTextDocument: this.#onChange.event,
    onDidOpenNotebookDocument: this.#onNotebookOpen.event,
    onDidChangeNotebookDocument: this.#onNotebook.event,
    onDidCloseNotebookDocument: this.#onNotebookClose.event,
    onDidCloseTextDocument: this.#onClose.event,
    onDidSaveTextDocument: this.#onSave.event,
    onDidSaveNotebookDocument: this.#onSave.event,
    onDidCreateFiles: this.#onFiles.event,
    onDidRenameFiles: this.#onRename.event,
    onDidDeleteFiles: this.#onFiles.event,
  };

  readonly person = {
    loads: (path: string, text?: string): FakeDocument => this.#add(new FakeDocument(Uri.file(path), text)),
    /** In the Explorer: creates or deletes a file, once it is done on the disk. */
    changesInExplorer: (path: string): void => this.#onFiles.fire({ files: [Uri.file(path)] }),
    movesInExplorer: (from: string, to: string): void =>
      this.#onRename.fire({ files: [{ oldUri: Uri.file(from), newUri: Uri.file(to) }] }),
    /** A text that has no file yet; without text it is not dirty. */
    opensUntitled: (name: string, text = ''): FakeDocument => {
      const document = new FakeDocument(Uri.parse(`untitled:${name}`), text);
      document.isDirty = text !== '';
      return this.#add(document);
    },
    types: (document: FakeDocument, text: string): void => {
      document.type(text);
      this.#onChange.fire({ document, contentChanges: [{ text }] });
      this.#languages.check(document);
    },
    /** VS Code itself does, once it has seen that the file has changed: the text is clean all the time. */
    readsAgain: (document: FakeDocument): void => {
      document.reload();
      this.#onChange.fire({ document, contentChanges: [{}] });
      this.#languages.check(document);
    },
    undoes: (document: FakeDocument): void => {
      document.undo();
      this.#onChange.fire({ document, contentChanges: [{}] });
    },
    /** The user takes back what is unsaved. VS Code tells apart that the text is clean, as it does once it is saved. */
    reverts: (document: FakeDocument): void => {
      document.reload();
      this.#onChange.fire({ document, contentChanges: [{}] });
      document.isDirty = false;
      this.#languages.check(document);
      this.#onChange.fire({ document, contentChanges: [] });
    },
    /** VS Code itself does this too, some time after a document was loaded that no tab shows. */
    closes: (document: FakeDocument): void => {
      document.isClosed = true;
      this.all.splice(this.all.indexOf(document), 1);
      this.#onClose.fire(document);
    },
    closesNotebook: (notebook: FakeNotebook): void => {
      notebook.isClosed = true;
      this.notebooks.splice(this.notebooks.indexOf(notebook), 1);
      this.#onNotebookClose.fire(notebook);
    },
    /** What a kernel, or VS Code for it, changes of a cell. */
    changesCell: (notebook: FakeNotebook, index: number, change: CellChange): void => {
      const cell = Object.assign(notebook.cellAt(index), change);
      this.#onNotebook.fire({ notebook, cellChanges: [{ cell, ...change }], contentChanges: [] });
    },
    /** To a file that the watcher may not report. */
    saves: (document: FakeDocument): void => this.#onSave.fire(document),
  };

  get listeners(): number {
    const notebooks = [this.#onNotebookOpen, this.#onNotebook, this.#onNotebookClose];
    return listenersOf([
      this.#onOpen,
      this.#onChange,
      ...notebooks,
      this.#onClose,
      this.#onSave,
      this.#onFiles,
      this.#onRename,
    ]);
  }

  /** A cell of a notebook is a document too. */
  at(uri: vscode.Uri): FakeDocument | undefined {
    const cells = this.notebooks.flatMap((one) =>
      one instanceof FakeNotebook ? one.getCells().map(({ document }) => document) : [],
    );
    return [...this.all, ...cells].find((document) => document.uri.toString() === uri.toString());
  }

  #add(document: FakeDocument): FakeDocument {
    this.all.push(document);
    this.#onOpen.fire(document);
    return document;
  }

  /** Unsaved text goes along with what is moved. */
  async #operate({ from, to, contents }: FileOperation): Promise<void> {
    if (to) await mkdir(dirname(to.fsPath), { recursive: true });
    if (!from) await writeFile((to as vscode.Uri).fsPath, contents ?? '', { flag: 'wx' });
    else if (to) await rename(from.fsPath, to.fsPath);
    else await rm(from.fsPath, { recursive: true });
    for (const document of this.all.filter(({ uri }) => from && `${uri.path}/`.startsWith(`${from.path}/`))) {
      this.person.closes(document);
      if (!to) continue;
      const moved = this.person.loads(to.fsPath + document.uri.fsPath.slice(from?.fsPath.length));
      if (document.isDirty) this.person.types(moved, document.getText());
    }
    this.#onFiles.fire({ files: [] });
    this.#onRename.fire({ files: from && to ? [{ oldUri: from, newUri: to }] : [] });
  }

  /** As VS Code does: the workbench refuses an edit of a text that changed after the edit was made. */
  async #apply(edit: WorkspaceEdit): Promise<boolean> {
    if (edit.cells) return this.#applyToCells(edit.cells);
    for (const one of edit.operations) await this.#operate(one);
    if (edit.operations.length > 0) return true;
    const document = edit.replacements[0] && this.at(edit.replacements[0].uri);
    const version = document?.version;
    const text = document && edited(document, edit);
    this.beforeEdit();
    await new Promise((resolve) => setImmediate(resolve));
    if (!document || text === undefined || document.version !== version) return false;
    // One that was closed meanwhile is loaded again.
    this.person.types(document.isClosed ? this.person.loads(document.uri.fsPath) : document, text);
    return true;
  }

  async #applyToCells({ uri, edits }: NonNullable<WorkspaceEdit['cells']>): Promise<boolean> {
    const notebook = this.notebooks.find((one) => one.uri.toString() === uri.toString());
    const version = notebook?.version;
    this.beforeEdit();
    await new Promise((resolve) => setImmediate(resolve));
    if (!(notebook instanceof FakeNotebook) || notebook.version !== version) return false;
    notebook.apply(edits);
    return true;
  }

  async #openNotebook(uri: vscode.Uri): Promise<FakeNotebook> {
    const notebook = new FakeNotebook(uri);
    this.notebooks.push(notebook);
    for (const { document } of notebook.getCells()) this.#onOpen.fire(document);
    this.#onNotebookOpen.fire(notebook);
    return notebook;
  }
}
