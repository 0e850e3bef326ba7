import { extname } from 'node:path/posix';
import type * as vscode from 'vscode';
import { clock, delay } from '../../util/clock.ts';
import type { Reports } from './reports.ts';

/** Reports that come so soon after a document was closed may only take its problems back. This and the following are in milliseconds. */
const CLOSING = 2_000;
/** A report counts as the last after this time without another one. */
const QUIET = 250;
/** How long such a server takes at least: gopls begins with the files that others use a second after the last change. */
const WHOLE_PROGRAM = 2_000;

/** Reports on files that VS Code has not loaded: a server that makes them checks whole programs, and tells by itself what an edit breaks in other files. */
export class UnloadedFiles {
  readonly #vscode: typeof vscode;
  readonly #reports: Reports;
  readonly #subscriptions: vscode.Disposable[];
  /** The extensions of names of files, with the dot. */
  readonly #reportedOn = new Set<string>();
  #reportedAt = Number.NEGATIVE_INFINITY;
  #closedAt = Number.NEGATIVE_INFINITY;

  constructor(code: typeof vscode, reports: Reports) {
    this.#vscode = code;
    this.#reports = reports;
    this.#subscriptions = [
      code.workspace.onDidCloseTextDocument(() => {
        this.#closedAt = clock.now();
      }),
      code.languages.onDidChangeDiagnostics(({ uris }) => this.#take(uris)),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #take(uris: readonly vscode.Uri[]): void {
    if (clock.now() - this.#closedAt < CLOSING) return;
    const loaded = new Set(this.#vscode.workspace.textDocuments.map(({ uri }) => `${uri}`));
    for (const uri of uris) {
      if (uri.scheme !== 'file' || loaded.has(`${uri}`)) continue;
      this.#reportedOn.add(extname(uri.path));
      this.#reportedAt = clock.now();
    }
  }

  /** Whether the server of a file is one of these. */
  reportsOn({ path }: vscode.Uri): boolean {
    return this.#reportedOn.has(extname(path));
  }

  /** The errors in files of such servers, by URI. */
  errors(): ReadonlyMap<string, vscode.Diagnostic[]> {
    const { languages, DiagnosticSeverity } = this.#vscode;
    const reported = languages.getDiagnostics().filter(([uri]) => this.reportsOn(uri));
    return new Map(
      reported.map(([uri, all]) => [
        `${uri}`,
        all.filter(({ severity }) => severity === DiagnosticSeverity.Error),
      ]),
    );
  }

  /** Waits until these servers have reported on all files since the last change. */
  async settled(signal: AbortSignal): Promise<void> {
    const { changes, habits } = this.#reports;
    const checked = this.#vscode.workspace.textDocuments.filter(({ uri }) => this.reportsOn(uri));
    if (checked.length === 0) return;
    for (;;) {
      const reports = checked.map((one) => {
        const changedAt = Math.max(changes.ofOwn(one), changes.ofOthers(one));
        return changedAt + Math.max(WHOLE_PROGRAM, habits.afterChange(one));
      });
      const until = Math.max(this.#reportedAt + QUIET, ...reports);
      if (signal.aborted || until <= clock.now()) return;
      await delay(until - clock.now(), signal).catch(() => {});
    }
  }
}
