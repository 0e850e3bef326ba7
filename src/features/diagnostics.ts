import type * as vscode from 'vscode';
import type { Files } from '../access/files.ts';
import type { Location } from '../access/locate.ts';
import { NotFoundError, throwIfCancelled } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';

/** A report this long without another one is the last, in milliseconds. */
const QUIET = 250;
/** How long a language server that answers otherwise may take for its first report; most report nothing for a clean file. */
const FIRST_REPORT = 1_500;
/** How long any of it is waited for. */
const PATIENCE = 20_000;

export interface Settled {
  diagnostics: readonly vscode.Diagnostic[];
  /** False where the language server was still at work when the wait ended. */
  settled: boolean;
}

/**
 * The problems that language servers report, and when they have caught up with the text: reports come some time after a
 * change, and for a file that VS Code has not loaded, not at all. One for the window.
 */
export class Diagnostics {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  /** When each document was loaded or changed, and last reported on, by `performance.now()`. */
  readonly #changedAt = new Map<string, number>();
  readonly #reportedAt = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  constructor(code: typeof vscode) {
    this.#vscode = code;
    const changed = ({ uri }: vscode.TextDocument) => this.#changedAt.set(uri.toString(), performance.now());
    this.#subscriptions = [
      code.workspace.onDidOpenTextDocument(changed),
      code.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) changed(document);
      }),
      code.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#changedAt.delete(uri.toString());
        this.#reportedAt.delete(uri.toString());
      }),
      code.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.#reportedAt.set(uri.toString(), performance.now());
        for (const wake of [...this.#waiting]) wake();
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** What is reported now, for all files that VS Code knows of. */
  all(): readonly [vscode.Uri, readonly vscode.Diagnostic[]][] {
    return this.#vscode.languages.getDiagnostics();
  }

  /**
   * The problems of one file, after its language servers have seen its present text: a file that is not open is loaded
   * first (no editor shows it). At once where nothing has changed since the last report.
   *
   * @throws CancelledError, UserError where the file cannot be loaded
   */
  async of(location: Location, files: Files, signal: AbortSignal): Promise<Settled> {
    const key = location.uri.toString();
    const isLoaded = files.openDocument(location) !== undefined;
    if (!isLoaded) {
      const stat = await files.stat(location);
      if (!stat || stat.isFolder) throw new NotFoundError(`${location.path} is no file.`);
      await files.loadDocument(location);
      this.#changedAt.set(key, performance.now());
    }
    const settled = await this.#settle(location.uri, signal);
    return { diagnostics: this.#vscode.languages.getDiagnostics(location.uri), settled };
  }

  async #settle(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
    const key = uri.toString();
    const changedAt = this.#changedAt.get(key) ?? Number.NEGATIVE_INFINITY;
    const reported = () => (this.#reportedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= changedAt;
    const quiet = () => performance.now() - (this.#reportedAt.get(key) ?? 0) >= QUIET;
    const until = changedAt + PATIENCE;
    if ((reported() && quiet()) || performance.now() >= until) return true;
    if (!reported()) await this.#languageServerIsUp(uri, until);
    const firstUntil = performance.now() + FIRST_REPORT;
    while (!reported() && performance.now() < Math.min(until, firstUntil))
      await this.#nextReport(firstUntil, signal);
    while (reported() && !quiet() && performance.now() < until)
      await this.#nextReport(performance.now() + QUIET, signal);
    if (performance.now() >= until) return false;
    if (!reported()) this.#reportedAt.set(key, performance.now()); // asked, answered, nothing to say: a clean file
    return true;
  }

  /** A hover is answered only once the server has loaded the file's project; where there is no server, at once. */
  async #languageServerIsUp(uri: vscode.Uri, until: number): Promise<void> {
    const { commands, Position } = this.#vscode;
    const hover = commands.executeCommand('vscode.executeHoverProvider', uri, new Position(0, 0));
    await withDeadline(hover, 'waiting for the language server', until - performance.now()).catch(() => {});
  }

  #nextReport(until: number, signal: AbortSignal): Promise<void> {
    throwIfCancelled(signal);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, until - performance.now()));
      signal.addEventListener('abort', done);
      this.#waiting.add(done);
    });
  }
}
