import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import { checkersOf } from './checkers.ts';

/** Times are in milliseconds of the clock. */
interface Change {
  key: string;
  at: number;
  /** When another file than the last one was changed. */
  otherAt: number;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** When files were last changed or saved: what a server has reported on others that use them may be out of date. */
export class FileChanges {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  /** By the id of an extension that checks the file. */
  readonly #last = new Map<string, Change>();
  /** When files were created, moved or deleted in VS Code. */
  #operatedAt = NEVER;

  constructor(code: typeof vscode) {
    this.#vscode = code;
    const { workspace } = code;
    const operated = () => {
      this.#operatedAt = clock.now();
    };
    this.#subscriptions = [
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#change(document);
      }),
      workspace.onDidSaveTextDocument((document) => this.#change(document)),
      workspace.onDidCreateFiles(operated),
      workspace.onDidRenameFiles(operated),
      workspace.onDidDeleteFiles(operated),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** When another file that the same extension checks was last changed. */
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

  #change({ uri, languageId }: vscode.TextDocument): void {
    const [key, at] = [uri.toString(), clock.now()];
    for (const { id } of checkersOf(this.#vscode, languageId)) {
      const last = this.#last.get(id);
      this.#last.set(id, { key, at, otherAt: (last?.key === key ? last.otherAt : last?.at) ?? NEVER });
    }
  }
}
