import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import { withBackgroundTab } from './checkers.ts';
import type { Checked, CheckedText, Reports } from './reports.ts';

/** How long a server may take for a file without a tab, before a tab is opened. */
const UNSEEN = 500;
/** How long if the server has reported on files without a tab before: a tab would only flicker. */
const SLOW_UNSEEN = 10_000;
/** How long a server may take to report again on a text whose tab is opened, in milliseconds. */
const TAB_TRIED = 1_500;
/** How long an answer from a tab that is closed again is used, in milliseconds: files that nobody has opened may change. */
const KEPT = 3_000;

/** Checks of files that no tab shows. Some servers check only files in tabs, so one is opened if needed. */
export class UnseenFiles {
  readonly #vscode: typeof vscode;
  readonly #reports: Reports;
  readonly #ofTabs = new WeakMap<vscode.TextDocument, CheckedText & { answer: Checked; at: number }>();

  constructor(code: typeof vscode, reports: Reports) {
    this.#vscode = code;
    this.#reports = reports;
  }

  /** Waits for the last report on the current text, in a tab if need be. */
  async check(document: vscode.TextDocument, limit: AbortSignal): Promise<Checked> {
    const reports = this.#reports;
    const diagnosticsOf = () => this.#vscode.languages.getDiagnostics(document.uri);
    const reportsUnseen = reports.habits.reportsUnseen(document);
    if (reports.isOlder(document) && diagnosticsOf().length > 0) reports.add(document);
    if (!reports.has(document) && !reports.habits.isTabsOnly(document))
      await reports.next(document, limit, reportsUnseen ? SLOW_UNSEEN : UNSEEN);
    const look = async (): Promise<Checked> => {
      const state = await reports.settled(document, limit);
      return { diagnostics: diagnosticsOf(), state };
    };
    const at = reports.has(document) ? reports.at(document) : undefined;
    const isFresh = at !== undefined && clock.now() - at < KEPT && reports.changes.ofOthers(document) < at;
    const isKnown = at !== undefined && (reportsUnseen || isFresh);
    if (limit.aborted || isKnown) return look();
    return this.#inTab(document, async () => {
      if (at !== undefined) await this.#tryTab(document, at, limit);
      return look();
    });
  }

  /** Looks while a background tab shows a document. What is seen is kept for a moment. */
  async #inTab(document: vscode.TextDocument, look: () => Promise<Checked>): Promise<Checked> {
    await this.#reports.closingIsOver(document);
    const answer = await withBackgroundTab(this.#vscode, document.uri, look);
    const { version, languageId } = document;
    this.#ofTabs.set(document, { answer, version, languageId, at: clock.now() });
    // The server may clear its report now; this must not count as a report on the next text.
    if (!this.#reports.habits.isTabsOnly(document)) await this.#reports.closingIsOver(document);
    return answer;
  }

  /** Finds out whether a tab has the server report again: one that does not reports on files without tabs by itself. */
  async #tryTab(document: vscode.TextDocument, at: number, limit: AbortSignal): Promise<void> {
    await this.#reports.next(document, limit, TAB_TRIED);
    this.#reports.habits.sawTab(document, (this.#reports.at(document) ?? at) > at);
  }

  /**
   * The answer that a tab was opened for a moment ago, if nothing has changed since: the server has cleared its report.
   *
   * @param ms how long ago
   */
  kept(document: vscode.TextDocument, ms = KEPT): Checked | undefined {
    const last = this.#ofTabs.get(document);
    if (last?.version !== document.version || last.languageId !== document.languageId) return undefined;
    const isCurrent = clock.now() - last.at < ms && this.#reports.changes.ofOthers(document) < last.at;
    return isCurrent && last.answer.state === 'checked' ? last.answer : undefined;
  }
}
