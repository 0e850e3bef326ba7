import type * as vscode from 'vscode';
import { cutText } from '../../core/text/cutText.ts';

/** One line of a result; `hit` is false for a line of context. */
export interface SearchLine {
  path: string;
  /** 1-based; undefined in a line that is too long for ripgrep's report to be read to its end. */
  line: number | undefined;
  /** The line, or of a long one the text around the first hit. */
  text: string;
  hit: boolean;
  /** The bytes of the file that the text shows; undefined where it shows none. */
  piece?: Buffer;
}

/** Longest text of a line that is kept, in UTF-16 units, and how much of it stands before the hit. */
const MAX_TEXT = 300;
const BEFORE_HIT = 100;

/** What is not UTF-8 comes as bytes in base64. */
type RipgrepText = { text: string } | { bytes: string };

export interface RipgrepEvent {
  type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  data: {
    path?: RipgrepText;
    lines?: RipgrepText;
    line_number?: number | null;
    submatches?: { start: number; end: number }[];
  };
}

/** The file that is searched. */
export interface Searched {
  /** As results name it. */
  path: string;
  uri: vscode.Uri;
}

/**
 * Reads the report of ripgrep (`--json`), a JSON object a line, and hands on its lines, with the same object for all of a file.
 *
 * @param find the file of a path; undefined if it does not count
 */
export function collector(
  find: (path: string) => Searched | undefined,
  take: (searched: Searched, lines: readonly SearchLine[]) => void,
): (piece: string, isCut: boolean) => void {
  let searched: Searched | undefined;
  return (piece, isCut) => {
    const event = isCut ? eventOfCut(piece) : (JSON.parse(piece) as RipgrepEvent);
    const { type, data } = event;
    if (type === 'begin') searched = data.path && 'text' in data.path ? find(data.path.text) : undefined;
    else if (searched && (type === 'match' || type === 'context'))
      take(searched, linesOf(searched.path, event, isCut));
  };
}

/** A hit over several lines begins with the first; the others are its context. */
function linesOf(
  path: string,
  { type, data: { lines, line_number, submatches } }: RipgrepEvent,
  isCut: boolean,
): SearchLine[] {
  const column = submatches?.[0]?.start ?? 0;
  const texts = textOf(lines)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  return texts.map((text, index) => {
    const line = typeof line_number === 'number' ? line_number + index : undefined;
    const { shown, piece } = around(text, index === 0 ? column : 0);
    const bytes = !isCut && lines && Buffer.from(piece, 'text' in lines ? 'utf8' : 'latin1');
    const hit = type === 'match' && index === 0;
    return { path, line, text: shown, hit, ...(bytes && { piece: bytes }) };
  });
}

const textOf = (lines: RipgrepText | undefined): string => {
  if (!lines) return '';
  return 'text' in lines ? lines.text : Buffer.from(lines.bytes, 'base64').toString('latin1');
};

/** What is shown of a line, and the part of the line in it. @param byte where the hit begins, in bytes of UTF-8 */
export function around(line: string, byte: number): { shown: string; piece: string } {
  if (line.length <= MAX_TEXT) return { shown: line, piece: line };
  const hit = Buffer.from(line).subarray(0, byte).toString('utf8').length;
  const start = Math.max(0, Math.min(hit - BEFORE_HIT, line.length - MAX_TEXT));
  const piece = cutText(line.slice(start).replace(/^[\udc00-\udfff]/, ''), MAX_TEXT);
  const more = start + piece.length < line.length ? '…' : '';
  const shown = `${start > 0 ? '…' : ''}${piece}${more} (column ${hit + 1} of ${line.length})`;
  return { shown, piece };
}

/** The beginning of an event that is too long to be read: a hit in a line of megabytes, or one with a million hits. */
function eventOfCut(piece: string): RipgrepEvent {
  const type = piece.startsWith('{"type":"match"') ? 'match' : 'context';
  const [, line] = /"\},"line_number":(\d+),"absolute_offset":/.exec(piece) ?? [];
  const [, start] = /"submatches":\[\{"match":\{.*?\},"start":(\d+),/.exec(piece) ?? [];
  const text = `(a line too long to show${start === undefined ? '' : `; the first hit is at byte ${start}`})`;
  return { type, data: { lines: { text }, ...(line !== undefined && { line_number: Number(line) }) } };
}
