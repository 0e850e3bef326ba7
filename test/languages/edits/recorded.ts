import { readFileSync } from 'node:fs';
import type { GivenSymbol } from '../../../src/services/language/symbols/tree.ts';

/** A symbol as short as it can be: name, kind, range, selection, children. */
export type Recorded = [
  name: string,
  kind: number,
  range: number[],
  selectionRange: number[],
  children: Recorded[],
];

export interface RecordedFile {
  path: string;
  language: string;
  text: string;
  symbols: GivenSymbol[];
}

/** Small files, with what servers told of their symbols. */
export function recordedFiles(): RecordedFile[] {
  const all = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as Record<
    string,
    Omit<RecordedFile, 'symbols'> & { symbols: Recorded[] }
  >;
  return Object.entries(all).map(([path, file]) => ({ ...file, path, symbols: file.symbols.map(given) }));
}

const given = ([name, kind, range, selectionRange, children]: Recorded): GivenSymbol => ({
  name,
  kind,
  range: rangeOf(range),
  selectionRange: rangeOf(selectionRange),
  children: children.map(given),
});

const rangeOf = ([startLine = 0, start = 0, endLine = 0, end = 0]: readonly number[]) => ({
  start: { line: startLine, character: start },
  end: { line: endLine, character: end },
});
