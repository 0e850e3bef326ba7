import type { Uri } from 'vscode';
import type { NotebookEdit } from './notebooks.ts';
import type { FakeDocument, Range } from './text.ts';

/** A file is created where there is no `from`, and deleted where there is no `to`. */
export interface FileOperation {
  from?: Uri;
  to?: Uri;
  contents?: Uint8Array;
}

/** Edits that are to be one step. */
export class WorkspaceEdit {
  readonly replacements: { uri: Uri; range: Range; text: string }[] = [];
  /** Edits of one notebook. */
  cells: { uri: Uri; edits: readonly NotebookEdit[] } | undefined;

  set(uri: Uri, edits: readonly NotebookEdit[]): void {
    this.cells = { uri, edits };
  }

  /** What happens to whole files, in order. */
  readonly operations: FileOperation[] = [];

  createFile(to: Uri, { contents = new Uint8Array() }: { contents?: Uint8Array } = {}): void {
    this.operations.push({ to, contents });
  }

  renameFile(from: Uri, to: Uri): void {
    this.operations.push({ from, to });
  }

  deleteFile(from: Uri): void {
    this.operations.push({ from });
  }

  replace(uri: Uri, range: Range, text: string): void {
    this.replacements.push({ uri, range, text });
  }

  entries(): [Uri, { range: Range; newText: string }[]][] {
    const byFile = Map.groupBy(this.replacements, ({ uri }) => uri.toString());
    return [...byFile.values()].map((all) => [
      (all[0] as { uri: Uri }).uri,
      all.map(({ range, text }) => ({ range, newText: text })),
    ]);
  }
}

/** The text of a document with the edits in it: their ranges all mean the text before. */
export function edited(document: FakeDocument, { replacements }: WorkspaceEdit): string {
  const before = document.getText();
  const places = replacements
    .filter(({ uri }) => uri.toString() === document.uri.toString())
    .map(({ range, text }) => ({
      start: document.offsetAt(range.start),
      end: document.offsetAt(range.end),
      text,
    }))
    .sort((a, b) => a.start - b.start);
  places.reduce((end, next) => {
    if (next.start < end) throw new Error('Overlapping ranges are not allowed!');
    return next.end;
  }, 0);
  return places.reduceRight(
    (text, place) => text.slice(0, place.start) + place.text + text.slice(place.end),
    before,
  );
}
