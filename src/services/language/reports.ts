import type * as vscode from 'vscode';
import { clock, unlessAborted } from '../../util/clock.ts';
import { uriOf } from '../../util/tabs.ts';
import { checkersOf, isBuiltIn, isTypeScript, ownServersOf, TYPESCRIPT, tabsOf } from './checkers.ts';

/** A report counts as the last after this time without another one, in milliseconds. */
const QUIET = 250;
/** The same for an empty report: the server may clear its problems before it checks. */
const CLEARED_QUIET = 1_000;
const MOST_QUIET = 10_000;
/** VS Code's own servers start checking a text within this time, in milliseconds. */
const OWN_SERVERS_DELAY = 1_000;

/** How long after closing a tab or document VS Code may report that servers cleared its problems, in milliseconds. */
export const TAKEN_BACK = 100;

/** A text of a document. Includes the language: another language is checked by another server. */
type CheckedText = Pick<vscode.TextDocument, 'version' | 'languageId'>;

/**
 * Records which texts have been reported on. VS Code reports the document, not its version, so a report counts for the
 * document's text at that time. Created at activation, because a clean text in a tab is reported only once.
 */
export class Reports {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  readonly #reported = new WeakMap<vscode.TextDocument, CheckedText & { at: number; isEmpty: boolean }>();
  /** Texts that may have been reported on before this listened. */
  readonly #before: WeakMap<vscode.TextDocument, CheckedText>;
  /** URIs of tabs and documents that were just closed; a URI may be open again in a new document. */
  readonly #closed = new Set<string>();
  readonly #languages = new Set<string>();
  /** Longest time from an empty report to one with problems, by language; in milliseconds. */
  readonly #late = new Map<string, number>();
  /** Whether a language's server checks only files in tabs, as far as known. */
  readonly #tabsOnly = new Map<string, boolean>();
  readonly #waiting = new Set<{ document: vscode.TextDocument; wake: () => void }>();

  constructor(code: typeof vscode) {
    this.#vscode = code;
    this.#before = new WeakMap(
      code.workspace.textDocuments.map((one) => [one, { version: one.version, languageId: one.languageId }]),
    );
    this.#subscriptions = [
      code.workspace.onDidCloseTextDocument(({ uri }) => this.#close(uri)),
      code.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) this.#close(uriOf(tab));
      }),
      code.languages.onDidChangeDiagnostics(({ uris }) => {
        const reported = new Set(uris.map(String));
        for (const document of code.workspace.textDocuments)
          if (reported.has(document.uri.toString())) this.#take(document);
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Whether the document's current text has been reported on. */
  has(document: vscode.TextDocument): boolean {
    const last = this.#reported.get(document);
    return last?.version === document.version && last.languageId === document.languageId;
  }

  /** Waits for the last report on the current text; `pending` if the limit comes first. */
  async settled(document: vscode.TextDocument, limit: AbortSignal): Promise<'checked' | 'pending'> {
    while (!limit.aborted) {
      const left = this.has(document) ? this.#settlesIn(document) : undefined;
      if (left === undefined) await this.next(document, limit);
      else if (left <= 0) return 'checked';
      // A server that is checking the text answers late. A timer may fire up to 1 ms early.
      else await Promise.all([this.#serverAnswers(document, limit), this.next(document, limit, left + 1)]);
    }
    return 'pending';
  }

  /**
   * Handles a text that was in a tab before this extension started: it may have been reported on then, and will not be again.
   * VS Code's own servers work sequentially. If they answer two requests with enough time to check in between, they have checked.
   */
  async checkOlder(document: vscode.TextDocument, limit: AbortSignal): Promise<void> {
    const { languageId, uri } = document;
    if (this.has(document) || !this.isOlder(document)) return;
    if (this.#vscode.languages.getDiagnostics(uri).length > 0) return this.add(document);
    if (ownServersOf(this.#vscode, languageId).length === 0) return;
    if (!checkersOf(this.#vscode, languageId).every(isBuiltIn)) return;
    await this.#serverAnswers(document, limit);
    await this.next(document, limit, OWN_SERVERS_DELAY);
    await this.#serverAnswers(document, limit);
    if (!limit.aborted && this.isOlder(document)) this.add(document);
  }

  /** Waits for an answer of the servers. VS Code's own are started first: a request skips servers that have not started. */
  async #serverAnswers({ uri, languageId }: vscode.TextDocument, limit: AbortSignal): Promise<void> {
    const { commands, Position } = this.#vscode;
    const starting = ownServersOf(this.#vscode, languageId).map((extension) => extension.activate());
    const answered = Promise.all(starting).then(() =>
      commands.executeCommand('vscode.executeHoverProvider', uri, new Position(0, 0)),
    );
    await unlessAborted(answered, limit).catch(() => {});
  }

  /** Milliseconds until the last report on the document counts as final; 0 or less if it already does. */
  #settlesIn(document: vscode.TextDocument): number {
    const { at = 0, isEmpty = false } = this.#reported.get(document) ?? {};
    return (isEmpty ? this.#clearedQuiet(document.languageId) : QUIET) - (clock.now() - at);
  }

  /** How long to wait after an empty report: twice the longest time seen. VS Code's own servers do not clear first. */
  #clearedQuiet(languageId: string): number {
    const seen = 2 * (this.#late.get(languageId) ?? 0);
    const usual = checkersOf(this.#vscode, languageId).every(isBuiltIn) ? QUIET : CLEARED_QUIET;
    return Math.max(usual, Math.min(seen, MOST_QUIET));
  }

  /** Whether the text is unchanged since before this listened. */
  isOlder(document: vscode.TextDocument): boolean {
    const last = this.#before.get(document);
    return last?.version === document.version && last.languageId === document.languageId;
  }

  /** Records that the document's current text has been reported on. */
  add(document: vscode.TextDocument): void {
    const at = clock.now();
    const isEmpty = this.#vscode.languages.getDiagnostics(document.uri).length === 0;
    const last = this.#reported.get(document);
    const { version, languageId } = document;
    if (last?.isEmpty && last.version === version && last.languageId === languageId && !isEmpty)
      this.#late.set(languageId, Math.max(this.#late.get(languageId) ?? 0, at - last.at));
    this.#reported.set(document, { version, languageId, at, isEmpty });
  }

  /** Whether any extension except VS Code's TypeScript has reported a problem in this language. */
  hasReportedOn(languageId: string): boolean {
    return this.#languages.has(languageId);
  }

  /** Whether this language's server is known to check only files in tabs: it clears its report when a tab closes. */
  isTabsOnly(languageId: string): boolean {
    const known = this.#tabsOnly.get(languageId) ?? ownServersOf(this.#vscode, languageId).length > 0;
    this.#tabsOnly.set(languageId, known);
    return known;
  }

  /** Resolves on the next report on the document, after `ms` milliseconds, or when the signal aborts. */
  async next(document: vscode.TextDocument, signal: AbortSignal, ms?: number): Promise<void> {
    const { promise, resolve: wake } = Promise.withResolvers<void>();
    const one = { document, wake };
    this.#waiting.add(one);
    const cancel = ms === undefined ? undefined : clock.after(ms, wake);
    await unlessAborted(promise, signal);
    cancel?.();
    this.#waiting.delete(one);
  }

  #close(uri: vscode.Uri | undefined): void {
    if (!uri) return;
    const key = uri.toString();
    this.#closed.add(key);
    clock.after(TAKEN_BACK, () => this.#closed.delete(key));
    const document = this.#vscode.workspace.textDocuments.find((one) => one.uri.toString() === key);
    if (document && this.isTabsOnly(document.languageId)) this.#reported.delete(document);
  }

  #take(document: vscode.TextDocument): void {
    const { uri, languageId } = document;
    const diagnostics = this.#vscode.languages.getDiagnostics(uri);
    if (this.#isTakenBack(document, diagnostics)) {
      if (this.#reported.delete(document)) this.#tabsOnly.set(languageId, true);
    } else {
      this.add(document);
      if (diagnostics.some(({ source }) => !isTypeScript(languageId) || source !== TYPESCRIPT))
        this.#languages.add(languageId);
    }
    for (const { document: waited, wake } of [...this.#waiting]) if (waited === document) wake();
  }

  /** Whether an event only reflects a closed tab or document and says nothing about the text. */
  #isTakenBack(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): boolean {
    const isHidden = tabsOf(this.#vscode, document.uri).length === 0;
    if (isHidden && this.isTabsOnly(document.languageId)) return true;
    if (diagnostics.length > 0) return false;
    return this.#closed.has(document.uri.toString()) || (isHidden && this.has(document));
  }
}
