/** Classes and constants that VS Code has outside of its namespaces; those of texts are in text.ts. */
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';
import { WorkspaceEdit } from './edits.ts';
import { Emitter } from './emitter.ts';
import { NotebookCellData, NotebookEdit, NotebookRange } from './notebooks.ts';
import { FakeDiagnostic, Position, Range, Selection } from './text.ts';

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath }) as unknown as typeof vscode.Uri;

class Disposable {
  readonly #dispose: () => void;
  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }
  static from(...items: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const item of items) item.dispose();
    });
  }
  dispose(): void {
    this.#dispose();
  }
}

class CancellationTokenSource {
  readonly #cancelled = new Emitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }
  dispose(): void {}
}

export class RelativePattern {
  readonly baseUri: vscode.Uri;
  readonly pattern: string;
  constructor(base: vscode.WorkspaceFolder | vscode.Uri, pattern: string) {
    this.baseUri = 'uri' in base ? base.uri : base;
    this.pattern = pattern;
  }
}

export const values = {
  Uri,
  CancellationTokenSource,
  Disposable,
  RelativePattern,
  Position,
  Range,
  Selection,
  WorkspaceEdit,
  NotebookEdit,
  NotebookRange,
  NotebookCellData,
  Diagnostic: FakeDiagnostic,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  ViewColumn: { Active: -1, Beside: -2 },
  TextEditorRevealType: { InCenterIfOutsideViewport: 2 },
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  version: '1.101.0',
};
