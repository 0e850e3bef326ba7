import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import { isCFamily } from '../../core/kinds.ts';
import { clock, withLimit } from '../../util/clock.ts';
import { Emitter } from '../../util/events.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';
import {
  checkersOf,
  hiddenDocument,
  isBuiltIn,
  isSwitchedOff,
  isTypeScript,
  reopen,
  TemporaryLoads,
  TYPESCRIPT,
  tabsOf,
  takeBackReports,
} from './checkers.ts';
import { asOnDisk } from './diskChanges.ts';
import { GoneFiles, openAgain } from './goneFiles.ts';
import { isCell } from './habits.ts';
import type { Checked, CheckState, Reports } from './reports.ts';
import { askTypeScript } from './tsDiagnostics.ts';
import { errorsOfConfiguration, isConfiguration } from './tsProjects.ts';
import { UnloadedFiles } from './unloadedFiles.ts';
import { UnseenFiles } from './unseenFiles.ts';

/** How long to wait for a report. This and the following are in milliseconds. */
const REPORT_TIMEOUT_MS = 20_000;
/** How long if the last wait for this language timed out: some servers do not report clean files. */
const NEXT_REPORT_TIMEOUT_MS = 3_000;
/** An answer of TypeScript's server, and when it was asked, in milliseconds of the clock. */
interface OfTypeScript {
  answer: vscode.Diagnostic[];
  at: number;
}

/**
 * The problems that language servers report, and whether they have seen the current text. Reports come some time after a
 * change, never for files that VS Code has not loaded, and from some servers (JSON's) only for files in tabs. One per window.
 */
export class Diagnostics {
  readonly #vscode: typeof vscode;
  readonly #reports: Reports;
  readonly #subscriptions: vscode.Disposable[];
  readonly #waitedInVain = new Set<string>();
  /** TypeScript's answers, by URI; discarded when any text changes. */
  #typeScript = new Map<string, OfTypeScript>();
  #hasTypeScriptAnswered = false;
  readonly #unseen: UnseenFiles;
  readonly unloaded: UnloadedFiles;
  readonly #changes = new Emitter<vscode.Uri>();
  readonly #loads = new TemporaryLoads(
    (uri) => printOf(this.#reported(uri)),
    (uri) => this.#changes.fire(uri),
  );

  constructor(code: typeof vscode, reports: Reports) {
    this.#vscode = code;
    this.#reports = reports;
    this.#unseen = new UnseenFiles(code, reports);
    this.unloaded = new UnloadedFiles(code, reports);
    const changed = () => {
      this.#typeScript = new Map(); // a pending answer goes into the old map
    };
    this.#subscriptions = [
      reports,
      this.unloaded,
      new GoneFiles(code),
      code.workspace.onDidOpenTextDocument(changed),
      code.workspace.onDidChangeTextDocument(({ contentChanges }) => {
        if (contentChanges.length > 0) changed();
      }),
      code.workspace.onDidCloseTextDocument(changed),
      code.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) {
          this.#typeScript.delete(uri.toString());
          if (!this.#loads.has(uri)) this.#changes.fire(uri);
        }
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#loads.dispose();
  }

  /** Fires for files whose problems changed, except if only our own check made them come and go. */
  onDidChange(listener: (uri: vscode.Uri) => void): vscode.Disposable {
    return this.#changes.listen(listener);
  }

  /** Whether an extension is known to check files of a language, or has reported on one. */
  mayCheck(languageId: string): boolean {
    return this.#reports.hasReportedOn(languageId) || checkersOf(this.#vscode, languageId).length > 0;
  }

  all(): readonly [vscode.Uri, readonly vscode.Diagnostic[]][] {
    return this.#vscode.languages.getDiagnostics();
  }

  /**
   * The problems of one file, after its current text has been checked. A file that is not open is loaded first. Resolves at once
   * if nothing changed since the last report.
   *
   * @throws CancelledError, UserError if the file cannot be loaded
   */
  async of(location: Location, files: Files, signal: AbortSignal): Promise<Checked> {
    const isShown = () => tabsOf(this.#vscode, location.uri).length > 0;
    const look = async () => {
      const document = await files.loadDocument(location);
      await openAgain(this.#vscode, document);
      const { changes } = this.#reports;
      const at = this.#reports.at(document) ?? Number.POSITIVE_INFINITY;
      if (isCFamily(document.languageId) && at < changes.includedAt) await this.readAgain(document.uri);
      return this.#ofLoaded(document, signal);
    };
    const again = () => {
      this.#typeScript.delete(location.uri.toString());
      return look();
    };
    const all = async () =>
      this.#withOwn(location, await asOnDisk(look, again, location, files, this.#vscode, signal));
    return isShown() ? all() : this.#loads.whileLoaded(location.uri, all);
  }

  /** The problems of the text that a document has now, whatever is on the disk. @throws CancelledError */
  ofText(document: vscode.TextDocument, signal: AbortSignal): Promise<Checked> {
    const look = async () => this.#keptOf(document) ?? this.#ofLoaded(document, signal);
    return this.#loads.whileLoaded(document.uri, look);
  }

  /** Whether the server of a document, which is started, takes requests in order: it answers about the text that was there when it was asked. */
  async answersInOrder({ languageId }: vscode.TextDocument): Promise<boolean> {
    if (!isTypeScript(languageId)) return false;
    const servers = checkersOf(this.#vscode, languageId).filter(isBuiltIn);
    await Promise.all(servers.map((extension) => extension.activate()));
    return servers.length > 0;
  }

  /** What is known to be reported on the text that a document has now; undefined if nothing is yet. */
  known(document: vscode.TextDocument): readonly vscode.Diagnostic[] | undefined {
    const { languageId, uri } = document;
    const { answer, at = 0 } = this.#typeScript.get(uri.toString()) ?? {};
    if (answer && this.#reports.changes.ofOthers(document) < at)
      return this.#answer(document, 'checked', answer).diagnostics;
    // While TypeScript's server starts, a report is a linter's. Of files without a tab it makes none.
    const isLacking =
      isTypeScript(languageId) &&
      (tabsOf(this.#vscode, uri).length === 0 ||
        (!this.#hasTypeScriptAnswered && this.#reports.hasReportedOn(languageId)));
    if (this.#reports.has(document) && !isLacking) return this.#reported(uri);
    return this.#keptOf(document)?.diagnostics;
  }

  /** An answer from a tab that is closed again, of any time. */
  #keptOf(document: vscode.TextDocument): Checked | undefined {
    return this.#unseen.kept(document, Number.POSITIVE_INFINITY);
  }

  #ofLoaded(document: vscode.TextDocument, signal: AbortSignal): Promise<Checked> {
    const isShown = tabsOf(this.#vscode, document.uri).length > 0;
    return isShown ? this.ofShown(document, signal) : this.#ofUnseen(document, signal);
  }

  /** A configuration of TypeScript gets its server's own answer in the place of what the server has reported at some time. */
  async #withOwn({ uri }: Location, checked: Checked): Promise<Checked> {
    const own = isConfiguration(uri.path) ? await errorsOfConfiguration(this.#vscode, uri) : undefined;
    if (!own) return checked;
    const others = checked.diagnostics.filter(({ source }) => source !== TYPESCRIPT);
    return { ...checked, diagnostics: [...own, ...others] };
  }

  /** Has the server of a file read it again. @returns false if a tab shows it: the user would see that */
  async readAgain(uri: vscode.Uri): Promise<boolean> {
    const document = hiddenDocument(this.#vscode, uri);
    if (!document) return false;
    this.#reports.forget(document);
    await reopen(this.#vscode, document, () => this.#reports.closingIsOver(document));
    this.#reports.forget(document);
    return true;
  }

  /** The problems of a document in a tab: a file or a notebook cell. @throws CancelledError */
  async ofShown(document: vscode.TextDocument, signal: AbortSignal): Promise<Checked> {
    const { languageId, uri } = document;
    const isAlone = () => !this.#reports.hasReportedOn(languageId);
    const known = this.#typeScript.get(uri.toString())?.answer;
    if (known && isAlone()) return this.#answer(document, 'checked', known);
    return this.#limited(document, signal, async (limit) => {
      const ofTypeScript = known ?? (isTypeScript(languageId) ? await this.#ask(document, limit) : undefined);
      if (ofTypeScript && isAlone()) return this.#answer(document, 'checked', ofTypeScript);
      const unasked = ofTypeScript ? undefined : this.#unasked(document);
      if (unasked) return this.#answer(document, unasked);
      const settled = (until: AbortSignal) => this.#reports.settled(document, until);
      if (!ofTypeScript) await this.#reports.checkOlder(document, limit);
      // Linters report soon or never.
      const state = await (ofTypeScript ? withLimit(NEXT_REPORT_TIMEOUT_MS, limit, settled) : settled(limit));
      return this.#answer(document, state, ofTypeScript);
    });
  }

  /** The problems of a document without a tab. Some servers check only files in tabs, so one is opened if needed. */
  async #ofUnseen(document: vscode.TextDocument, signal: AbortSignal): Promise<Checked> {
    const kept = this.#unseen.kept(document);
    if (kept) return kept;
    return this.#limited(document, signal, async (limit) => {
      const isScript = isTypeScript(document.languageId);
      const ofTypeScript = isScript ? await this.#ask(document, limit) : undefined;
      if (!ofTypeScript) {
        const unasked = this.#unasked(document);
        return unasked ? this.#answer(document, unasked) : this.#unseen.check(document, limit);
      }
      await takeBackReports(this.#vscode, document.uri);
      return this.#answer(document, 'checked', ofTypeScript);
    });
  }

  /** Runs one wait with a time limit, which depends on the language's last wait. @throws CancelledError */
  async #limited(
    document: vscode.TextDocument,
    signal: AbortSignal,
    run: (limit: AbortSignal) => Promise<Checked>,
  ): Promise<Checked> {
    const { languageId } = document;
    const ms = this.#waitedInVain.has(languageId) ? NEXT_REPORT_TIMEOUT_MS : REPORT_TIMEOUT_MS;
    return withLimit(ms, signal, async (limit) => {
      const answer = await run(limit);
      throwIfCancelled(signal);
      if (answer.state !== 'pending') this.#waitedInVain.delete(languageId);
      else if (limit.aborted) {
        this.#waitedInVain.add(languageId);
        await this.#reports.noteSilence(document, signal);
      }
      return answer;
    });
  }

  /** Combines TypeScript's answer, if any, with the reports of others; else all reports. */
  #answer({ uri }: vscode.TextDocument, state: CheckState, ofTypeScript?: vscode.Diagnostic[]): Checked {
    const reported = this.#reported(uri);
    if (!ofTypeScript) return { diagnostics: reported, state };
    return {
      diagnostics: [...ofTypeScript, ...reported.filter(({ source }) => source !== TYPESCRIPT)],
      state,
    };
  }

  /** Asks TypeScript about a document; the answer is kept until a text changes. */
  async #ask(document: vscode.TextDocument, limit: AbortSignal): Promise<vscode.Diagnostic[] | undefined> {
    const [answers, at] = [this.#typeScript, clock.now()];
    const answer = await askTypeScript(this.#vscode, document, limit);
    if (answer) answers.set(document.uri.toString(), { answer, at });
    this.#hasTypeScriptAnswered ||= answer !== undefined;
    return answer;
  }

  /** The state of a text for which no wait is worth it. Many servers do not look at cells at all; others report late. */
  #unasked(document: vscode.TextDocument): CheckState | undefined {
    if (!this.#canBeChecked(document)) return 'unchecked';
    if (!this.#reports.habits.isSilent(document)) return undefined;
    return isCell(document) ? 'unchecked' : 'pending';
  }

  #canBeChecked(document: vscode.TextDocument): boolean {
    const { languageId, uri } = document;
    const isOff = isSwitchedOff(this.#vscode, document);
    return (
      (this.#reports.has(document) && !isOff) ||
      this.#reports.hasReportedOn(languageId) ||
      this.#reported(uri).length > 0 ||
      checkersOf(this.#vscode, languageId).some((checker) => !isOff || !isBuiltIn(checker))
    );
  }

  #reported(uri: vscode.Uri): readonly vscode.Diagnostic[] {
    return this.#vscode.languages.getDiagnostics(uri);
  }
}

/** A string that is equal for equal problems. */
const printOf = (diagnostics: readonly vscode.Diagnostic[]): string =>
  JSON.stringify(
    diagnostics
      .map(({ range, severity, message, source, code }) =>
        JSON.stringify([range, severity, message, source, code]),
      )
      .sort(),
  );
