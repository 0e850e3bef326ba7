import type * as vscode from 'vscode';
import { unlessAborted } from '../../util/deadline.ts';
import { uriOf } from '../../util/tabs.ts';
import { tabsOf } from './backgroundTab.ts';
import { checkersOf, isBuiltIn, ownServersOf } from './checkers.ts';

/** The source that VS Code's TypeScript extension gives; its reports are asked for, not waited for. */
export const TYPESCRIPT = 'ts';

/** A report this long without another one is the last, in milliseconds. */
const QUIET = 250;
/** The same if it has no problems and may come from a server that clears before it checks. */
const CLEARED_QUIET = 1_000;
const MOST_QUIET = 10_000;

/** How long after a tab or a document was closed VS Code tells what servers then take back, in milliseconds. */
export const TAKEN_BACK = 100;

/**
 * Which texts have been reported on. VS Code names the document of a report, not the version: a report counts for the text that
 * the document has then. Made at activation, because a clean text in a tab is reported on only once.
 */
export class Reports {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  readonly #reported = new WeakMap<vscode.TextDocument, { text: string; at: number; isEmpty: boolean }>();
  /** Texts that may have been reported on before anybody listened. */
  readonly #before: WeakMap<vscode.TextDocument, string>;
  /** URIs of tabs and documents that were just closed; a document may be open again under the same one. */
  readonly #closed = new Set<string>();
  readonly #languages = new Set<string>();
  /** How long after a report without problems others came with some, at most, by language; in milliseconds. */
  readonly #late = new Map<string, number>();
  /** Whether the server of a language looks only at tabs, as far as that is known. */
  readonly #tabsOnly = new Map<string, boolean>();
  readonly #waiting = new Set<{ document: vscode.TextDocument; wake: () => void }>();

  constructor(code: typeof vscode) {
    this.#vscode = code;
    this.#before = new WeakMap(code.workspace.textDocuments.map((one) => [one, textOf(one)]));
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

  /** Whether the document's present text has been reported on. */
  has(document: vscode.TextDocument): boolean {
    return this.#reported.get(document)?.text === textOf(document);
  }

  /** Milliseconds until the last report on the document counts as final; none are left at 0 or below. */
  settlesIn(document: vscode.TextDocument): number {
    const { at = 0, isEmpty = false } = this.#reported.get(document) ?? {};
    return (isEmpty ? this.#clearedQuiet(document.languageId) : QUIET) - (performance.now() - at);
  }

  /** How long problems may come after a report without any: as long as they once did, and VS Code's own servers do not. */
  #clearedQuiet(languageId: string): number {
    const seen = 2 * (this.#late.get(languageId) ?? 0);
    const usual = checkersOf(this.#vscode, languageId).every(isBuiltIn) ? QUIET : CLEARED_QUIET;
    return Math.max(usual, Math.min(seen, MOST_QUIET));
  }

  /** Whether it has the text that it had before anybody listened. */
  isOlder(document: vscode.TextDocument): boolean {
    return this.#before.get(document) === textOf(document);
  }

  /** The document's present text is known to have been reported on. */
  add(document: vscode.TextDocument): void {
    const [text, at] = [textOf(document), performance.now()];
    const isEmpty = this.#vscode.languages.getDiagnostics(document.uri).length === 0;
    const last = this.#reported.get(document);
    const { languageId } = document;
    if (last?.isEmpty && last.text === text && !isEmpty)
      this.#late.set(languageId, Math.max(this.#late.get(languageId) ?? 0, at - last.at));
    this.#reported.set(document, { text, at, isEmpty });
  }

  /** Whether anything has reported a problem in this language, other than VS Code's TypeScript extension. */
  hasReportedOn(languageId: string): boolean {
    return this.#languages.has(languageId);
  }

  /** Whether the server of this language is known to look only at tabs: when one is closed, it takes its report back. */
  isTabsOnly(languageId: string): boolean {
    const known = this.#tabsOnly.get(languageId) ?? ownServersOf(this.#vscode, languageId).length > 0;
    this.#tabsOnly.set(languageId, known);
    return known;
  }

  /** Resolves with the next report on the document, after `ms` milliseconds, or once the signal is aborted. */
  async next(document: vscode.TextDocument, signal: AbortSignal, ms?: number): Promise<void> {
    const { promise, resolve: wake } = Promise.withResolvers<void>();
    const one = { document, wake };
    this.#waiting.add(one);
    const timer = ms === undefined ? undefined : setTimeout(wake, ms);
    await unlessAborted(promise, signal);
    clearTimeout(timer);
    this.#waiting.delete(one);
  }

  #close(uri: vscode.Uri | undefined): void {
    if (!uri) return;
    const key = uri.toString();
    this.#closed.add(key);
    setTimeout(() => this.#closed.delete(key), TAKEN_BACK);
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

  /** Whether an event says only that a tab or a document was closed, and nothing about the text. */
  #isTakenBack(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): boolean {
    const isHidden = tabsOf(this.#vscode, document.uri).length === 0;
    if (isHidden && this.isTabsOnly(document.languageId)) return true;
    if (diagnostics.length > 0) return false;
    return this.#closed.has(document.uri.toString()) || (isHidden && this.has(document));
  }
}

/** What VS Code's TypeScript extension checks. */
export const isTypeScript = (languageId: string): boolean => /^(type|java)script(react)?$/.test(languageId);

/** Another language is checked by another server. */
const textOf = ({ languageId, version }: vscode.TextDocument): string => `${languageId} ${version}`;
