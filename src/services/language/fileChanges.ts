import { extname } from 'node:path/posix';
import type * as vscode from 'vscode';
import { isCFamily } from '../../core/kinds.ts';
import { clock } from '../../util/clock.ts';
import { checkersOf } from './checkers.ts';

/** Times are in milliseconds of the clock. */
interface Change {
  key: string;
  at: number;
  /** When another file than the last one was changed. */
  otherAt: number;
}

/** Files of C that others include. */
const HEADER = /^\.(h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tcc)$/;
/** A change on the disk so soon after a save is that save, in milliseconds. */
const OF_SAVE = 3_000;

const NEVER = Number.NEGATIVE_INFINITY;

/** When files were last changed or saved: what a server has reported on others that use them may be out of date. */
export class FileChanges {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  /** By the id of an extension that checks the file. */
  readonly #last = new Map<string, Change>();
  /** When files were created, moved or deleted in VS Code. */
  #operatedAt = NEVER;
  /** When a file of C was last changed outside of VS Code: servers notice only of those that VS Code saves that others include them. */
  includedAt = NEVER;
  /** When files were saved, by URI. */
  readonly #saved = new Map<string, number>();

  constructor(code: typeof vscode) {
    this.#vscode = code;
    const { workspace } = code;
    const operated = () => {
      this.#operatedAt = clock.now();
    };
    const watcher = workspace.createFileSystemWatcher('**/*');
    const written = (uri: vscode.Uri) => this.#write(uri);
    this.#subscriptions = [
      watcher,
      watcher.onDidChange(written),
      watcher.onDidCreate(written),
      watcher.onDidDelete(written),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#change(document);
      }),
      workspace.onDidSaveTextDocument((document) => {
        for (const [key, at] of this.#saved) if (clock.now() - at > OF_SAVE) this.#saved.delete(key);
        this.#saved.set(`${document.uri}`, clock.now());
        this.#change(document);
      }),
      workspace.onDidCreateFiles(operated),
      workspace.onDidRenameFiles(operated),
      workspace.onDidDeleteFiles(operated),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** When another file that the same extension checks was last changed, in VS Code or on the disk. */
  ofOthers({ uri, languageId }: vscode.TextDocument): number {
    const key = uri.toString();
    const changes = checkersOf(this.#vscode, languageId).map(({ id }) => this.#last.get(id));
    const times = changes.map((last) => (last?.key === key ? last.otherAt : last?.at) ?? NEVER);
    return Math.max(this.#operatedAt, ...times);
  }

  /** When a file was last changed, if it was the last of those that the same extensions check. */
  ofOwn({ uri, languageId }: vscode.TextDocument): number {
    const changes = checkersOf(this.#vscode, languageId).map(({ id }) => this.#last.get(id));
    return Math.max(NEVER, ...changes.map((last) => (last?.key === uri.toString() ? last.at : NEVER)));
  }

  /** A file was changed on the disk. What is loaded tells its language: only of loaded files reports may be out of date. */
  #write(uri: vscode.Uri): void {
    if (clock.now() - (this.#saved.get(`${uri}`) ?? NEVER) <= OF_SAVE) return;
    const ending = extname(uri.path);
    const isAlike = ({ uri: { path }, languageId }: vscode.TextDocument) =>
      extname(path) === ending || (HEADER.test(ending) && isCFamily(languageId));
    const alike = this.#vscode.workspace.textDocuments.find(isAlike);
    if (!alike) return;
    if (isCFamily(alike.languageId)) this.includedAt = clock.now();
    this.#change({ uri, languageId: alike.languageId });
  }

  #change({ uri, languageId }: Pick<vscode.TextDocument, 'uri' | 'languageId'>): void {
    const [key, at] = [uri.toString(), clock.now()];
    for (const { id } of checkersOf(this.#vscode, languageId)) {
      const last = this.#last.get(id);
      this.#last.set(id, { key, at, otherAt: (last?.key === key ? last.otherAt : last?.at) ?? NEVER });
    }
  }
}
