import { readFileSync, writeFileSync } from 'node:fs';
import type { Uri as UriType } from 'vscode';
import { cellsOfIpynb } from '../../src/core/notebook/notebookText.ts';
import { FakeDocument } from './text.ts';

export class NotebookRange {
  readonly start: number;
  readonly end: number;
  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

export class NotebookCellData {
  readonly kind: number;
  readonly value: string;
  readonly languageId: string;
  metadata: Record<string, unknown> = {};
  outputs: unknown[] = [];
  executionSummary?: object;
  constructor(kind: number, value: string, languageId: string) {
    this.kind = kind;
    this.value = value;
    this.languageId = languageId;
  }
}

export class NotebookEdit {
  readonly range: NotebookRange;
  readonly newCells: NotebookCellData[];
  constructor(range: NotebookRange, newCells: NotebookCellData[]) {
    this.range = range;
    this.newCells = newCells;
  }
  static replaceCells(range: NotebookRange, newCells: NotebookCellData[]): NotebookEdit {
    return new NotebookEdit(range, newCells);
  }
}

interface FakeCell extends Pick<NotebookCellData, 'kind' | 'metadata' | 'outputs' | 'executionSummary'> {
  document: FakeDocument;
  readonly index: number;
}

/** A Jupyter notebook that VS Code has loaded. */
export class FakeNotebook {
  readonly uri: UriType;
  readonly notebookType = 'jupyter-notebook';
  readonly isUntitled = false;
  isClosed = false;
  metadata: object = {};
  isSavable = true;
  #cells: FakeCell[] = [];
  #edits = 0;
  #saved = 0;

  constructor(uri: UriType) {
    this.uri = uri;
    this.reload();
  }

  /** Takes the cells of its file in place of its own. */
  reload(): void {
    const text = readFileSync(this.uri.fsPath, 'utf8');
    const cells = cellsOfIpynb(text);
    if (!cells) throw new Error('No serializer for this notebook.');
    const { nbformat, nbformat_minor, metadata, cells: raw } = JSON.parse(text);
    this.metadata = { nbformat, nbformat_minor, metadata };
    this.#cells = cells.map(({ kind, language = 'python', text }, index) => {
      const data = new NotebookCellData(kind === 'markdown' ? 1 : 2, text, language);
      data.metadata = { id: raw[index].id };
      return this.#made(data);
    });
    this.#edits += 1_000;
    this.#saved = this.version;
  }

  get version(): number {
    return this.#edits + this.#cells.reduce((sum, { document }) => sum + document.version, 0);
  }
  get isDirty(): boolean {
    return this.version !== this.#saved;
  }
  get cellCount(): number {
    return this.#cells.length;
  }
  cellAt(index: number): FakeCell {
    return this.#cells[index] as FakeCell;
  }
  getCells(): readonly FakeCell[] {
    return this.#cells;
  }

  /** The numbers of all edits mean the cells before them. */
  apply(edits: readonly NotebookEdit[]): void {
    for (const { range, newCells } of edits.toSorted((a, b) => b.range.end - a.range.end))
      this.#cells.splice(range.start, range.end - range.start, ...newCells.map((data) => this.#made(data)));
    this.#edits += 1_000;
  }

  async save(): Promise<boolean> {
    if (!this.isSavable) return false;
    const cells = this.#cells.map(({ kind, document, metadata, outputs }) => ({
      ...metadata,
      cell_type: kind === 1 ? 'markdown' : 'code',
      source: document.getText(),
      ...(kind !== 1 && { outputs }),
    }));
    writeFileSync(this.uri.fsPath, JSON.stringify({ ...this.metadata, cells }));
    this.#saved = this.version;
    return true;
  }

  #made({ value, languageId, ...cell }: NotebookCellData): FakeCell {
    const document = new FakeDocument(
      this.uri.with({ scheme: 'vscode-notebook-cell', fragment: `${lastCell++}` }),
      value,
    );
    const made: FakeCell = { ...cell, document: Object.assign(document, { languageId }), index: -1 };
    return Object.defineProperty(made, 'index', { get: () => this.#cells.indexOf(made) });
  }
}

let lastCell = 0;
