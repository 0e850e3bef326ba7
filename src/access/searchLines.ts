import { cutText } from '../core/cutText.ts';

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

/** Hits after which a search stops counting. */
export const MOST_HITS = 10_000;
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

/** Gathers what ripgrep reports (`--json`), up to a limit. */
export class SearchLines {
  readonly found: SearchLine[] = [];
  #hits = 0;

  /**
   * Takes one event, a JSON object a line; false after too many hits.
   *
   * @param shown how a file is named in the results, undefined where it is none of them
   */
  collector(shown: (path: string) => string | undefined): (piece: string, isCut: boolean) => boolean {
    let path: string | undefined;
    return (piece, isCut) => {
      const event = isCut ? eventOfCut(piece) : (JSON.parse(piece) as RipgrepEvent);
      const { type, data } = event;
      if (type === 'begin') path = data.path && 'text' in data.path ? shown(data.path.text) : undefined;
      if ((type === 'match' || type === 'context') && path) this.#add(path, event, isCut);
      return this.#hits < MOST_HITS;
    };
  }

  /** A hit over several lines begins with the first; the others are its context. */
  #add(path: string, { type, data: { lines, line_number, submatches } }: RipgrepEvent, isCut: boolean): void {
    const hit = type === 'match';
    if (hit) this.#hits++;
    const column = submatches?.[0]?.start ?? 0;
    for (const [index, text] of textOf(lines)
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .entries()) {
      const line = typeof line_number === 'number' ? line_number + index : undefined;
      const { shown, piece } = around(text, index === 0 ? column : 0);
      const bytes = !isCut && lines && Buffer.from(piece, 'text' in lines ? 'utf8' : 'latin1');
      this.found.push({ path, line, text: shown, hit: hit && index === 0, ...(bytes && { piece: bytes }) });
    }
  }
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
