import { Minimatch } from 'minimatch';
import type * as vscode from 'vscode';
import { Emitter, listenersOf } from './emitter.ts';
import { type RelativePattern, Uri } from './values.ts';

/** What `workspace.createFileSystemWatcher` reports; the test says what happens on disk. */
export class FakeWatcher {
  readonly #onCreate = new Emitter<vscode.Uri>();
  readonly #onDelete = new Emitter<vscode.Uri>();
  readonly #onChange = new Emitter<vscode.Uri>();

  readonly person = {
    createsFile: (path: string): void => this.#onCreate.fire(Uri.file(path)),
    deletesFile: (path: string): void => this.#onDelete.fire(Uri.file(path)),
    /** By its path, or its URI in a virtual file system. */
    changesFile: (file: string | vscode.Uri): void =>
      this.#onChange.fire(typeof file === 'string' ? Uri.file(file) : file),
  };

  get listeners(): number {
    return listenersOf([this.#onCreate, this.#onDelete, this.#onChange]);
  }

  /** A text is a glob of a whole path; a pattern `*` or a name matches only the direct children of its base. */
  watch(pattern: string | RelativePattern) {
    const matches = (uri: vscode.Uri) =>
      typeof pattern === 'string'
        ? new Minimatch(pattern, { dot: true }).match(uri.path)
        : `${Uri.joinPath(uri, '..')}` === `${pattern.baseUri}` &&
          (pattern.pattern === '*' || uri.path.endsWith(`/${pattern.pattern}`));
    const filtered = (emitter: Emitter<vscode.Uri>) => (listener: (uri: vscode.Uri) => void) =>
      emitter.event((uri) => matches(uri) && listener(uri));
    return {
      onDidCreate: filtered(this.#onCreate),
      onDidDelete: filtered(this.#onDelete),
      onDidChange: filtered(this.#onChange),
      dispose: () => {},
    };
  }
}
