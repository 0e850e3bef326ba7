import { tmpdir } from 'node:os';
import type * as vscode from 'vscode';
import { cutText } from '../../core/text/cut.ts';
import { type RipgrepRun, runRipgrep } from '../../disk/ripgrep.ts';

export interface RipgrepSearch {
  executable: string;
  query: SearchQuery;
  signal: AbortSignal;
}

/** Searches a text that is not on the disk. */
export function inText({
  query,
  text,
  ...run
}: RipgrepSearch & { text: string } & Pick<RipgrepRun, 'onPiece' | 'beforeMore'>): Promise<void> {
  // Without --text ripgrep treats NUL as a line end, so line numbers would differ.
  const args = ['--no-config', '--text', ...REPORT, ...matching(query), '--', patternOf(query), '-'];
  return runRipgrep({ ...run, args, cwd: tmpdir(), stdin: text, separator: '\n' });
}

/** Whether a match may span several lines. */
export const isMultiline = ({ query, isRegex }: Pick<SearchQuery, 'query' | 'isRegex'>): boolean =>
  query.includes('\n') || (isRegex && query.includes('\\n'));

/** The query as ripgrep's pattern. A line break means that of the file, as in VS Code's own search. */
export function patternOf({ query, isRegex }: Pick<SearchQuery, 'query' | 'isRegex'>): string {
  if (!isMultiline({ query, isRegex })) return query;
  return isRegex ? withAnyBreaks(query) : escaped(query).replaceAll(/\r?\n/g, String.raw`\r?\n`);
}

/** A text as a regular expression. */
export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, String.raw`\$&`);

/** An escape, a class, or a line break. A class that excludes the break excludes both its characters. */
const TOKEN = /\\r\\n|\\r\?\\n|\\n|\r?\n|\\.|\[(\^?)(?:\\.|[^\]\\])+\]/gs;

const withAnyBreaks = (expression: string): string =>
  expression.replaceAll(TOKEN, (token, negation?: string) => {
    if (/^(?:\\r\??)?\\n$|^\r?\n$/.test(token)) return String.raw`\r?\n`;
    return negation && /\\n|\n/.test(token) ? token.replace('[^', String.raw`[^\r`) : token;
  });

/** What a search looks for, wherever. */
export type Matched = Omit<SearchQuery, 'include' | 'exclude' | 'onNote'>;

/** Arguments for the report on hits. */
export const REPORT = ['--json', '--no-messages', '--crlf'];

export const matching = ({ query, isRegex, caseSensitive, wholeWord, contextLines }: Matched): string[] => [
  ...(isMultiline({ query, isRegex }) ? ['--multiline'] : isRegex ? [] : ['--fixed-strings']),
  { true: '--case-sensitive', false: '--ignore-case', undefined: '--smart-case' }[`${caseSensitive}`],
  ...(wholeWord ? ['--word-regexp'] : []),
  ...(contextLines > 0 ? [`--context=${contextLines}`] : []),
];

export interface SearchQuery {
  query: string;
  isRegex: boolean;
  /** Undefined: if the query has capitals (smart case). */
  caseSensitive?: boolean | undefined;
  wholeWord: boolean;
  /** Globs relative to a folder. */
  include: readonly string[];
  exclude: readonly string[];
  /** Lines shown before and after a hit. */
  contextLines: number;
  /** Called with a sentence about what the search does not cover, or covers though lists do not. */
  onNote?(note: string): void;
}

/** One line of a result; `hit` is false for a line of context. */
export interface SearchLine {
  path: string;
  /** 1-based; undefined if the line was so long that ripgrep's report was cut. */
  line: number | undefined;
  /** The line; if it is long, only the text around the first hit. */
  text: string;
  hit: boolean;
  /** The file's bytes that the text shows; undefined if it shows none. */
  piece?: Buffer;
}

/** Longest kept text of a line, and how much of it comes before the hit, in UTF-16 units. */
const MAX_TEXT = 300;
const BEFORE_HIT = 100;

/** Text that is not UTF-8 comes as base64 bytes. */
type RipgrepText = { text: string } | { bytes: string };

export interface RipgrepEvent {
  type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  data: {
    path?: RipgrepText;
    lines?: RipgrepText;
    line_number?: number | null;
    submatches?: { start: number; end: number }[];
    /** Where a NUL ended the search of a file. */
    binary_offset?: number | null;
  };
}

export interface Searched {
  /** As results name it. */
  path: string;
  uri: vscode.Uri;
}

/**
 * Reads ripgrep's report (`--json`, one JSON object per line) and passes on its lines, with the same `Searched` object for all
 * lines of a file.
 *
 * @param find the file of a path; undefined to skip it
 * @param onCut called with each file with hits that was searched only up to a NUL
 */
export function collector(
  find: (path: string) => Searched | undefined,
  take: (searched: Searched, lines: readonly SearchLine[]) => void,
  onCut?: (searched: Searched) => void,
): (piece: string, isCut: boolean) => void {
  let searched: Searched | undefined;
  return (piece, isCut) => {
    const event = isCut ? eventOfCut(piece) : (JSON.parse(piece) as RipgrepEvent);
    const { type, data } = event;
    if (type === 'begin') searched = data.path && 'text' in data.path ? find(data.path.text) : undefined;
    else if (searched && (type === 'match' || type === 'context'))
      take(searched, linesOf(searched.path, event, isCut));
    else if (searched && typeof data.binary_offset === 'number') onCut?.(searched);
  };
}

/** The first line of a hit is the hit, its others are its context. Hits on lines next to each other come as one. */
function linesOf(
  path: string,
  { type, data: { lines, line_number, submatches = [] } }: RipgrepEvent,
  isCut: boolean,
): SearchLine[] {
  const encoding = lines && 'bytes' in lines ? 'latin1' : 'utf8';
  let [end, next] = [0, 0];
  return textOf(lines)
    .split(/(?<=\n)/)
    .map((whole, index) => {
      const [from, at] = [end, next];
      end += Buffer.byteLength(whole, encoding);
      while ((submatches[next]?.start ?? end) < end) next++;
      const line = typeof line_number === 'number' ? line_number + index : undefined;
      const hasHit = next > at;
      const column = hasHit ? (submatches[at]?.start ?? 0) - from : 0;
      const { shown, piece } = around(whole.replace(/\r?\n$/, ''), column);
      const bytes = !isCut && lines && Buffer.from(piece, encoding);
      const hit = type === 'match' && (index === 0 || hasHit);
      return { path, line, text: shown, hit, ...(bytes && { piece: bytes }) };
    });
}

const textOf = (lines: RipgrepText | undefined): string => {
  if (!lines) return '';
  return 'text' in lines ? lines.text : Buffer.from(lines.bytes, 'base64').toString('latin1');
};

/** The text shown for a line, and the part of the line in it. @param byte start of the hit, in UTF-8 bytes */
export function around(line: string, byte: number): { shown: string; piece: string } {
  if (line.length <= MAX_TEXT) return { shown: line, piece: line };
  const hit = Buffer.from(line).subarray(0, byte).toString('utf8').length;
  const start = Math.max(0, Math.min(hit - BEFORE_HIT, line.length - MAX_TEXT));
  const piece = cutText(line.slice(start).replace(/^[\udc00-\udfff]/, ''), MAX_TEXT);
  const more = start + piece.length < line.length ? '…' : '';
  const shown = `${start > 0 ? '…' : ''}${piece}${more} (column ${hit + 1} of ${line.length})`;
  return { shown, piece };
}

/** Reads an event that was cut because it is too long: a line of megabytes, or one with a million hits. */
function eventOfCut(piece: string): RipgrepEvent {
  const type = piece.startsWith('{"type":"match"') ? 'match' : 'context';
  const [, line] = /"\},"line_number":(\d+),"absolute_offset":/.exec(piece) ?? [];
  const [, start] = /"submatches":\[\{"match":\{.*?\},"start":(\d+),/.exec(piece) ?? [];
  const text = `(a line too long to show${start === undefined ? '' : `; the first hit is at byte ${start}`})`;
  return { type, data: { lines: { text }, ...(line !== undefined && { line_number: Number(line) }) } };
}

/** Hits after which a search stops counting. */
export const MOST_HITS = 10_000;

export class FoundLines {
  readonly #lines: SearchLine[] = [];
  #hits = 0;

  get isFull(): boolean {
    return this.#hits >= MOST_HITS;
  }

  add(lines: readonly SearchLine[]): void {
    for (const line of lines) {
      if (this.isFull) return;
      this.#lines.push(line);
      if (line.hit) this.#hits++;
    }
  }

  /** Sorted by file and line; lines of unknown number come last. */
  sorted(): SearchLine[] {
    return this.#lines.sort(byPlace);
  }
}

const byPlace = (a: SearchLine, b: SearchLine): number => {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
};
