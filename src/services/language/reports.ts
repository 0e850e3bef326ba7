import type * as vscode from 'vscode';
import { clock, delay, unlessAborted, within } from '../../util/clock.ts';
import { uriOf } from '../../util/tabs.ts';
import { checkersOf, isBuiltIn, isTypeScript, ownServersOf, TYPESCRIPT, tabsOf } from './checkers.ts';
import { FileChanges } from './fileChanges.ts';
import { Habits, isCell } from './habits.ts';

/** VS Code's own servers start checking a text within this time, in milliseconds. */
const OWN_SERVERS_DELAY = 1_000;

/** How long after closing a tab or document VS Code may report that servers cleared its problems, in milliseconds. */
const TAKEN_BACK = 100;
/** A report that comes later than that, in milliseconds, has nothing to do with a tab that was closed. */
const RECENTLY = 2_000;

const SYMBOLS = 'vscode.executeDocumentSymbolProvider';
/** How long it may take to give symbols, in milliseconds. */
const ANSWERS_WITHIN = 2_000;

/**
 * `checked`: the current text has been reported on. `unchecked`: no known extension checks its language. `pending`: no report
 * yet, so an empty list means nothing.
 */
export type CheckState = 'checked' | 'unchecked' | 'pending';

export interface Checked {
  diagnostics: readonly vscode.Diagnostic[];
  state: CheckState;
}

/** A text of a document. Includes the language: another language is checked by another server. */
export type CheckedText = Pick<vscode.TextDocument, 'version' | 'languageId'>;

interface Report extends CheckedText {
  /** Milliseconds, of the clock. */
  at: number;
  /** The `source` of each problem. */
  sources: ReadonlySet<string>;
}

/**
 * Records which texts have been reported on. VS Code reports the document, not its version, so a report counts for the
 * document's text at that time. Created at activation, because a clean text in a tab is reported only once.
 */
export class Reports {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  readonly #reported = new WeakMap<vscode.TextDocument, Report>();
  /** Texts that may have been reported on before this listened. */
  readonly #before: WeakMap<vscode.TextDocument, CheckedText>;
  /** When the tab or document of a URI was just closed, by the clock; the URI may be open again in a new document. */
  readonly #closed = new Map<string, number>();
  readonly #languages = new Set<string>();
  readonly habits: Habits;
  readonly changes: FileChanges;
  /** Cells without a report since they were opened. */
  readonly #newCells = new WeakSet<vscode.TextDocument>();
  readonly #waiting = new Set<{ document: vscode.TextDocument; wake: () => void }>();

  constructor(code: typeof vscode) {
    this.#vscode = code;
    this.habits = new Habits(code);
    this.changes = new FileChanges(code);
    const { workspace } = code;
    this.#before = new WeakMap(
      workspace.textDocuments.map((one) => [one, { version: one.version, languageId: one.languageId }]),
    );
    this.#subscriptions = [
      this.changes,
      workspace.onDidOpenTextDocument((document) => {
        if (isCell(document)) this.#newCells.add(document);
      }),
      workspace.onDidCloseTextDocument(({ uri }) => this.#close(uri)),
      code.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) this.#close(uriOf(tab));
      }),
      code.languages.onDidChangeDiagnostics(({ uris }) => {
        const reported = new Set(uris.map(String));
        for (const document of workspace.textDocuments)
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

  /** When the document was last reported on, in milliseconds of the clock. */
  at(document: vscode.TextDocument): number | undefined {
    return this.#reported.get(document)?.at;
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

  /** A wait ended without a report. It counts of a cell, or if the server works: it gives symbols, or has reported. */
  async noteSilence(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
    const asked = unlessAborted(
      this.#vscode.commands.executeCommand<unknown[]>(SYMBOLS, document.uri),
      signal,
    );
    const symbols = await within(asked, ANSWERS_WITHIN, undefined).catch(() => undefined);
    // Many servers do not look at cells at all.
    if (isCell(document) || symbols?.length || this.habits.hasReported(document.languageId))
      this.habits.sawSilence(document);
  }

  /** Milliseconds until the last report on the document counts as final; 0 or less if it already does. */
  #settlesIn(document: vscode.TextDocument): number {
    const { at = 0, sources } = this.#reported.get(document) ?? {};
    const quiet = this.habits.quiet(document, !sources?.size) - (clock.now() - at);
    const changedAt = this.changes.ofOthers(document);
    if (changedAt < at) return quiet;
    return Math.max(quiet, this.habits.afterChange(document) - (clock.now() - changedAt));
  }

  /** Whether the text is unchanged since before this listened. */
  isOlder(document: vscode.TextDocument): boolean {
    const last = this.#before.get(document);
    return last?.version === document.version && last.languageId === document.languageId;
  }

  /** Records that the document's current text has been reported on. */
  add(document: vscode.TextDocument): void {
    const at = clock.now();
    const sources = this.#sourcesIn(document);
    const last = this.#reported.get(document);
    const { version, languageId } = document;
    if (!this.has(document)) {
      this.habits.sawAfterChange(document, at - this.changes.ofOwn(document));
      if (sources.size > 0) this.habits.sawDirect(document);
    } else if (last?.sources.size === 0 && sources.size > 0 && this.changes.ofOthers(document) < last.at)
      this.habits.sawLate(document, at - last.at);
    this.#reported.set(document, { version, languageId, at, sources });
  }

  #sourcesIn({ uri }: vscode.TextDocument): Set<string> {
    return new Set(this.#vscode.languages.getDiagnostics(uri).map(({ source }) => source ?? ''));
  }

  /** The next report on a document counts, no other one. */
  forget(document: vscode.TextDocument): void {
    this.#reported.delete(document);
    this.#closed.delete(document.uri.toString());
  }

  /** Whether any extension except VS Code's TypeScript has reported a problem in this language. */
  hasReportedOn(languageId: string): boolean {
    return this.#languages.has(languageId);
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

  /** Until no event can come any more that only reflects that a tab or document was closed. */
  async closingIsOver({ uri }: vscode.TextDocument): Promise<void> {
    const closedAt = this.#closed.get(uri.toString()) ?? Number.NEGATIVE_INFINITY;
    const left = closedAt + TAKEN_BACK + 1 - clock.now();
    if (left > 0) await delay(left);
  }

  #close(uri: vscode.Uri | undefined): void {
    if (!uri) return;
    const [key, at] = [uri.toString(), clock.now()];
    for (const [other, closedAt] of this.#closed) if (at - closedAt > RECENTLY) this.#closed.delete(other);
    this.#closed.set(key, at);
    const document = this.#vscode.workspace.textDocuments.find((one) => one.uri.toString() === key);
    if (document && this.habits.isTabsOnly(document)) this.#reported.delete(document);
  }

  #take(document: vscode.TextDocument): void {
    const { habits } = this;
    const { uri, languageId } = document;
    const sources = this.#sourcesIn(document);
    // VS Code's extension for notebooks looks for missing pictures in each cell that is opened, and reports none of code.
    if (this.#newCells.delete(document) && sources.size === 0) return;
    const last = this.has(document) ? this.#reported.get(document) : undefined;
    const isHidden = tabsOf(this.#vscode, uri).length === 0;
    const closedAt = this.#closed.get(uri.toString()) ?? Number.NEGATIVE_INFINITY;
    const isClosing = clock.now() - closedAt <= TAKEN_BACK;
    const gone = [...(last?.sources ?? [])].filter((source) => !sources.has(source));
    if (isClosing) habits.sawTakenBack(document, gone);
    if (isHidden && clock.now() - closedAt > RECENTLY) habits.sawUnseen(document, sources);
    if (isHidden && habits.isTabsOnly(document)) this.#reported.delete(document);
    else if (!isClosing || sources.size > 0) {
      const changedAt = this.changes.ofOthers(document);
      if (last && last.at < changedAt) habits.sawAfterChange(document, clock.now() - changedAt);
      habits.sawReport(document);
      this.add(document);
      if ([...sources].some((source) => !isTypeScript(languageId) || source !== TYPESCRIPT))
        this.#languages.add(languageId);
    }
    for (const { document: waited, wake } of [...this.#waiting]) if (waited === document) wake();
  }
}
