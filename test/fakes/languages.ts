import type * as vscode from 'vscode';
import { Emitter } from './emitter.ts';
import { strict } from './strict.ts';
import type { FakeDocument } from './text.ts';
import { Uri } from './values.ts';

/** The namespace `languages`. */
export class FakeLanguages {
  /** By URI. */
  readonly diagnostics = new Map<string, vscode.Diagnostic[]>();
  /** Reports at once on every change. */
  server: ((document: FakeDocument) => vscode.Diagnostic[]) | undefined;
  /** Closes a document as one of its language, and opens it as one of another. */
  becomes: (document: FakeDocument, languageId: string) => void = () => {};
  readonly #onDiagnostics = new Emitter<{ uris: readonly vscode.Uri[] }>();

  readonly api = strict({
    getDiagnostics: (uri?: vscode.Uri) =>
      uri
        ? (this.diagnostics.get(uri.toString()) ?? [])
        : [...this.diagnostics].map(([key, list]) => [Uri.parse(key), list]),
    createDiagnosticCollection: () => {
      const own = new Map<string, vscode.Uri>();
      const remove = (uri: vscode.Uri) => own.delete(uri.toString()) && this.person.reports(uri, []);
      return {
        set: (uri: vscode.Uri, list: vscode.Diagnostic[]) => {
          own.set(uri.toString(), uri);
          this.person.reports(uri, list);
        },
        delete: remove,
        clear: () => [...own.values()].forEach(remove),
        dispose: () => {},
      };
    },
    setTextDocumentLanguage: async (document: FakeDocument, languageId: string) => {
      this.becomes(document, languageId);
      return document;
    },
    onDidChangeDiagnostics: this.#onDiagnostics.event,
  });

  readonly person = {
    reports: (file: string | vscode.Uri, diagnostics: vscode.Diagnostic[]): void => {
      const uri = typeof file === 'string' ? Uri.file(file) : file;
      this.diagnostics.set(uri.toString(), diagnostics);
      this.#onDiagnostics.fire({ uris: [uri] });
    },
  };

  /** Has the language server look at a document that changed. */
  check(document: FakeDocument): void {
    if (this.server) this.person.reports(document.uri.fsPath, this.server(document));
  }

  get listeners(): number {
    return this.#onDiagnostics.listeners;
  }
}
