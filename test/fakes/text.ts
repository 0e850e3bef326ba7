import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Uri } from 'vscode';

const LANGUAGES: Record<string, string> = { '.ts': 'typescript', '.py': 'python', '.json': 'json' };

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
  compareTo(other: Position): number {
    return this.line - other.line || this.character - other.character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
    this.start = new Position(startLine, startCharacter);
    this.end = new Position(endLine, endCharacter);
  }
  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }
}

/** A problem as a language server reports it; lines and characters are 0-based here. */
export class FakeDiagnostic {
  source?: string;
  code?: string | number | { value: string | number };
  readonly range: Range;
  readonly message: string;
  readonly severity: number;

  constructor(range: Range, message: string, severity = 0) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

/** A document that an editor, or a language server, has open. */
export class FakeDocument {
  readonly uri: Uri;
  readonly isUntitled = false;
  readonly languageId: string;
  isClosed = false;
  isDirty = false;
  version = 1;
  #text: string;

  constructor(uri: Uri, text?: string) {
    this.uri = uri;
    this.#text = text ?? readFileSync(uri.fsPath, 'utf8');
    this.languageId = LANGUAGES[extname(uri.path)] ?? 'plaintext';
  }

  getText(): string {
    return this.#text;
  }

  /** Replaces all of it, unsaved. */
  type(text: string): void {
    this.#text = text;
    this.isDirty = true;
    this.version++;
  }
}
