import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Uri } from 'vscode';

const LANGUAGES: Record<string, string> = {
  '.ts': 'typescript',
  '.py': 'python',
  '.json': 'json',
  '.h': 'cpp',
  '.cpp': 'cpp',
  '.go': 'go',
  '.md': 'markdown',
  '.sh': 'shellscript',
  '.c': 'c',
};

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
  get isEmpty(): boolean {
    return this.start.compareTo(this.end) === 0;
  }
  isEqual({ start, end }: Range): boolean {
    return this.start.compareTo(start) === 0 && this.end.compareTo(end) === 0;
  }
}

/** Selected text; `active` is where the cursor is. */
export class Selection extends Range {
  readonly active: Position;
  constructor(...places: [anchor: Position, active: Position] | [number, number, number, number]) {
    const [anchorLine, anchorCharacter, activeLine, activeCharacter] =
      places.length === 2
        ? [places[0].line, places[0].character, places[1].line, places[1].character]
        : places;
    const isReversed = (activeLine - anchorLine || activeCharacter - anchorCharacter) < 0;
    if (isReversed) super(activeLine, activeCharacter, anchorLine, anchorCharacter);
    else super(anchorLine, anchorCharacter, activeLine, activeCharacter);
    this.active = isReversed ? this.start : this.end;
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

const BOM = '\ufeff';

/** A document that an editor, or a language server, has open: with one kind of line end, and no byte order mark. */
export class FakeDocument {
  readonly uri: Uri;
  readonly languageId: string;
  readonly isUntitled: boolean;
  isClosed = false;
  isDirty = false;
  encoding = 'utf8';
  version = 1;
  /** Whether VS Code can save it, and what the person's settings make of the text then. */
  isSavable = true;
  /** VS Code edits the text of such a document all the same, and takes it for saved. */
  isReadOnly = false;
  onSave = (text: string): string => text;
  readonly #bom: string;
  readonly #eol: string;
  #text: string;
  readonly #undo: string[] = [];

  constructor(uri: Uri, given?: string) {
    this.uri = uri;
    this.isUntitled = uri.scheme === 'untitled';
    const text = given ?? readFileSync(uri.fsPath, 'utf8');
    if (text.includes('\0')) throw new Error('File seems to be binary and cannot be opened as text');
    this.#bom = text.startsWith(BOM) ? BOM : '';
    this.#eol = text.includes('\r\n') ? '\r\n' : '\n';
    this.#text = this.#normal(text.slice(this.#bom.length));
    this.languageId = LANGUAGES[extname(uri.path)] ?? 'plaintext';
  }

  get lineCount(): number {
    return this.#text.split('\n').length;
  }

  lineAt(line: number): { text: string; range: Range } {
    const text = this.#text.split(this.#eol)[line];
    if (text === undefined) throw new Error('Illegal value for `line`');
    return { text, range: new Range(line, 0, line, text.length) };
  }

  validateRange({ start, end }: Range): Range {
    const last = this.lineAt(Math.min(end.line, this.lineCount - 1));
    const character =
      end.line >= this.lineCount ? last.text.length : Math.min(end.character, last.text.length);
    return new Range(start.line, start.character, last.range.start.line, character);
  }

  getText(range?: Range): string {
    return range ? this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.#text;
  }

  /** Throws where there is no such place, where VS Code would take the nearest one. */
  offsetAt({ line, character }: Position): number {
    const lines = this.#text.split(this.#eol);
    const length = lines[line]?.length ?? -1;
    if (character > length) throw new Error(`There is no ${line}:${character} in ${this.uri.path}.`);
    return lines.slice(0, line).reduce((sum, text) => sum + text.length + this.#eol.length, character);
  }

  /** Replaces all of it, unsaved. */
  type(text: string): void {
    this.#undo.push(this.#text);
    this.#text = this.#normal(text);
    this.isDirty = !this.isReadOnly;
    this.version++;
  }

  /** As VS Code does once it has seen that the file has changed. */
  reload(): void {
    this.#text = this.#normal(readFileSync(this.uri.fsPath, 'utf8').slice(this.#bom.length));
    this.version++;
  }

  /** Takes back the last step. */
  undo(): void {
    this.#text = this.#undo.pop() ?? this.#text;
    this.isDirty = true;
    this.version++;
  }

  async save(): Promise<boolean> {
    if (this.isClosed) throw new Error('Document has been closed');
    const { version } = this;
    await new Promise((resolve) => setImmediate(resolve)); // the workbench does it
    if (this.isReadOnly) return true;
    if (!this.isSavable) return false;
    const isTyped = this.version !== version;
    const text = this.onSave(this.#text);
    if (text !== this.#text) this.type(text);
    try {
      writeFileSync(this.uri.fsPath, this.#bom + text);
    } catch {
      return false; // VS Code tells the user why
    }
    this.isDirty = isTyped;
    return true;
  }

  #normal(text: string): string {
    return text.replaceAll(/\r\n?|\n/g, this.#eol);
  }
}
