import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';
import { tabsOf, withBackgroundTab } from './backgroundTab.ts';
import { Looks } from './temporaryLoads.ts';
import { askTypeScript } from './tsDiagnostics.ts';

/** A report this long without another one is the last, in milliseconds. */
const QUIET = 250;
/** How long a language server that answers otherwise may take for its first report; some report nothing for a clean file. */
const FIRST_REPORT = 1_500;
/** The same where no tab shows the file, so that its server may not be looking. */
const FIRST_REPORT_UNSEEN = 500;
/** How long any of it is waited for. */
const PATIENCE = 20_000;
/** How long a change may be followed by reports on the text before it. */
const FRESH = 10_000;
/** How long a language is remembered to have nothing that reports. */
const SILENCE = 60_000;

export interface Settled {
  diagnostics: readonly vscode.Diagnostic[];
  /** False where the language server was still at work when the wait ended. */
  settled: boolean;
}

/**
 * The problems that language servers report, and when they have caught up with the text: reports come some time after a
 * change; for a file that VS Code has not loaded, not at all; from several servers (TypeScript's, JSON's) only for what
 * is in a tab. One for the window.
 */
export class Diagnostics {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  /** When each document was loaded, changed or put in a tab, and last reported on, by `performance.now()`. */
  readonly #changedAt = new Map<string, number>();
  readonly #reportedAt = new Map<string, number>();
  /** When a language was last found to have nothing that reports. */
  readonly #silentAt = new Map<string, number>();
  /** Languages whose server was found to report only on what is in a tab. */
  readonly #tabsOnly = new Set<string>();
  readonly #waiting = new Set<() => void>();
  readonly #listeners = new Set<(uri: vscode.Uri) => void>();
  readonly #looked = new Looks(
    (uri) => printOf(this.#reported(uri)),
    (uri) => this.#tell(uri),
  );

  constructor(code: typeof vscode) {
    this.#vscode = code;
    const changed = (uri: vscode.Uri) => this.#changedAt.set(uri.toString(), performance.now());
    this.#subscriptions = [
      code.workspace.onDidOpenTextDocument(({ uri }) => changed(uri)),
      code.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) changed(document.uri);
      }),
      code.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#changedAt.delete(uri.toString());
        this.#reportedAt.delete(uri.toString());
      }),
      code.window.tabGroups.onDidChangeTabs(({ opened }) => {
        for (const { input } of opened) {
          const uri = (input as { uri?: vscode.Uri } | undefined)?.uri;
          if (uri) changed(uri);
        }
      }),
      code.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.#reportedAt.set(uri.toString(), performance.now());
        for (const wake of [...this.#waiting]) wake();
        for (const uri of uris) if (!this.#looked.isAt(uri)) this.#tell(uri);
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#looked.dispose();
  }

  /** Tells of files whose problems changed, but not of what our own look at one brings, and takes back after it. */
  onDidChange(listener: (uri: vscode.Uri) => void): vscode.Disposable {
    this.#listeners.add(listener);
    return new this.#vscode.Disposable(() => this.#listeners.delete(listener));
  }

  /** What is reported now, for all files that VS Code knows of. */
  all(): readonly [vscode.Uri, readonly vscode.Diagnostic[]][] {
    return this.#vscode.languages.getDiagnostics();
  }

  /**
   * The problems of one file, after its language servers have seen its present text: a file that is not open is loaded
   * first. At once where nothing has changed since the last report.
   *
   * @throws CancelledError, UserError where the file cannot be loaded
   */
  async of(location: Location, files: Files, signal: AbortSignal): Promise<Settled> {
    const isShown = tabsOf(this.#vscode, location.uri).length > 0;
    const look = () => this.#look(location, files, signal);
    return isShown ? look() : this.#looked.during(location.uri, look);
  }

  /** Waits for the report on a text that the editor has, where it has changed since the last one; false where none came in time. */
  async caughtUp(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
    const changedAt = this.#changedAt.get(uri.toString());
    const reportedAt = this.#reportedAt.get(uri.toString()) ?? Number.NEGATIVE_INFINITY;
    return changedAt === undefined || reportedAt >= changedAt || this.#settleShown(uri, signal);
  }

  /** For a text that an editor shows; false where its report did not come in time. */
  async #settleShown(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
    const settled = await this.#settle(uri, FIRST_REPORT, signal);
    // Shown, and nothing to say: a clean text. Until it changes it need not be waited for again.
    if (settled === 'silent') this.#reportedAt.set(uri.toString(), performance.now());
    return settled !== 'late';
  }

  async #look(location: Location, files: Files, signal: AbortSignal): Promise<Settled> {
    const document = files.openDocument(location) ?? (await this.#load(location, files));
    if (tabsOf(this.#vscode, location.uri).length > 0) {
      const settled = await this.#settleShown(location.uri, signal);
      // TypeScript's first report may be on the new syntax and the old types.
      const asked = this.#hasJustChanged(location.uri) ? await this.#askTypeScript(document) : undefined;
      const diagnostics = asked ?? this.#reported(location.uri);
      return { diagnostics, settled };
    }
    const asked = await this.#askTypeScript(document);
    return asked ? { diagnostics: asked, settled: true } : this.#ofUnseen(document, signal);
  }

  /** What TypeScript says now, and all others have reported; undefined where it is none of its files. */
  async #askTypeScript(document: vscode.TextDocument): Promise<vscode.Diagnostic[] | undefined> {
    const asked = await askTypeScript(this.#vscode, document, PATIENCE);
    return asked && [...asked, ...this.#reported(document.uri).filter(({ source }) => source !== 'ts')];
  }

  #hasJustChanged(uri: vscode.Uri): boolean {
    const changedAt = this.#changedAt.get(uri.toString());
    return changedAt !== undefined && performance.now() - changedAt < FRESH;
  }

  async #load(location: Location, files: Files): Promise<vscode.TextDocument> {
    const document = await files.loadDocument(location);
    this.#changedAt.set(location.uri.toString(), performance.now());
    return document;
  }

  /** A server that says nothing about a loaded file may be one that looks only at tabs: it is given one to look at. */
  async #ofUnseen({ uri, languageId }: vscode.TextDocument, signal: AbortSignal): Promise<Settled> {
    // What such a server takes back when its tab is closed is no report on the file.
    let settled = this.#tabsOnly.has(languageId)
      ? 'silent'
      : await this.#settle(uri, FIRST_REPORT_UNSEEN, signal);
    let diagnostics = this.#reported(uri);
    if (settled === 'silent' && !this.#isSilent(languageId)) {
      await withBackgroundTab(this.#vscode, uri, async () => {
        this.#changedAt.set(uri.toString(), performance.now());
        settled = await this.#settle(uri, FIRST_REPORT, signal);
        diagnostics = this.#reported(uri);
      });
      if (settled === 'silent') this.#silentAt.set(languageId, performance.now());
      else this.#tabsOnly.add(languageId);
    }
    return { diagnostics, settled: settled !== 'late' };
  }

  #tell(uri: vscode.Uri): void {
    for (const listener of this.#listeners) listener(uri);
  }

  #isSilent(languageId: string): boolean {
    if (languageId === 'plaintext') return true;
    return performance.now() - (this.#silentAt.get(languageId) ?? Number.NEGATIVE_INFINITY) < SILENCE;
  }

  #reported(uri: vscode.Uri): readonly vscode.Diagnostic[] {
    return this.#vscode.languages.getDiagnostics(uri);
  }

  /** Waits for the report on the present text: 'silent' where none came though a server is up, 'late' where it did not end. */
  async #settle(
    uri: vscode.Uri,
    patience: number,
    signal: AbortSignal,
  ): Promise<'reported' | 'silent' | 'late'> {
    const key = uri.toString();
    const started = performance.now();
    const changedAt = this.#changedAt.get(key) ?? 0;
    // What was reported before we listened is a report too.
    if (!this.#changedAt.has(key) && this.#reported(uri).length > 0) return 'reported';
    const reportedAt = () => this.#reportedAt.get(key) ?? Number.NEGATIVE_INFINITY;
    const isQuiet = () => performance.now() - reportedAt() >= QUIET;
    const until = started + PATIENCE;
    if (reportedAt() >= changedAt && isQuiet()) return 'reported';
    if (reportedAt() < changedAt) await this.#languageServerIsUp(uri, until, signal);
    const firstUntil = Math.min(until, performance.now() + patience);
    while (reportedAt() < changedAt && performance.now() < firstUntil)
      await this.#nextReport(firstUntil, signal);
    if (reportedAt() < changedAt) return performance.now() < until ? 'silent' : 'late';
    while (!isQuiet() && performance.now() < until) await this.#nextReport(performance.now() + QUIET, signal);
    return performance.now() < until ? 'reported' : 'late';
  }

  /** A hover is answered only once the server has loaded the file's project; where there is no server, at once. */
  async #languageServerIsUp(uri: vscode.Uri, until: number, signal: AbortSignal): Promise<void> {
    const { commands, Position } = this.#vscode;
    const hover = commands.executeCommand('vscode.executeHoverProvider', uri, new Position(0, 0));
    const cancelled = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const either = Promise.race([hover, cancelled]);
    await withDeadline(either, 'waiting for the language server', until - performance.now()).catch(() => {});
    throwIfCancelled(signal);
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

/** Equal for equal problems. */
const printOf = (diagnostics: readonly vscode.Diagnostic[]): string =>
  JSON.stringify(
    diagnostics
      .map(({ range, severity, message, source, code }) =>
        JSON.stringify([range, severity, message, source, code]),
      )
      .sort(),
  );
