/** Classes and constants that VS Code has outside of its namespaces; those of texts are in text.ts. */
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';
import { FunctionBreakpoint, SourceBreakpoint } from './debug.ts';
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

class EventEmitter<T> {
  readonly #emitter = new Emitter<T>();
  readonly event = this.#emitter.event;
  fire(event: T): void {
    this.#emitter.fire(event);
  }
  dispose(): void {}
}

class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class RelativePattern {
  readonly baseUri: vscode.Uri;
  readonly pattern: string;
  constructor(base: vscode.WorkspaceFolder | vscode.Uri, pattern: string) {
    this.baseUri = 'uri' in base ? base.uri : base;
    this.pattern = pattern;
  }
}

class Location {
  readonly uri: vscode.Uri;
  readonly range: Range;
  constructor(uri: vscode.Uri, at: Position | Range) {
    this.uri = uri;
    this.range = at instanceof Range ? at : new Range(at.line, at.character, at.line, at.character);
  }
}

export const values = {
  Uri,
  SourceBreakpoint,
  FunctionBreakpoint,
  CancellationTokenSource,
  Disposable,
  EventEmitter,
  TerminalExitReason: { Unknown: 0, Shutdown: 1, Process: 2, User: 3, Extension: 4 },
  ThemeIcon,
  RelativePattern,
  Position,
  Range,
  Selection,
  Location,
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
