import { holdsRedacted, REDACTED, type Redaction } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { type Locator, openDocument } from '../read/location.ts';
import { decode, decodeUtf8, missesRedacted } from '../read/readContent.ts';
import {
  around,
  type FoundLines,
  inText,
  isMultiline,
  MOST_HITS,
  type RipgrepEvent,
  type RipgrepSearch,
  type Searched,
  type SearchLine,
} from './ripgrepSearch.ts';

/** Replaces redacted parts in the searched text. Texts do not contain this character. */
const MARK = '\uffff';
const MARK_BYTES = Buffer.from(MARK);
/** Largest file that is searched, in bytes. */
const LARGEST = 64 * 1024 * 1024;
/** Texts are searched in batches of about this many UTF-16 units. */
const MOST_TEXT = 1024 * 1024;
/** Files on which the patterns may time out. After that, all other files are left out. */
const MOST_SLOW = 3;
const SLOW = 'Some files were not searched: redacting took too long. Narrow include.';

interface Text {
  path: string;
  lines: readonly string[];
}

interface Hit {
  text: Text;
  /** Line, 0-based. */
  index: number;
  /** Start of the match in the line, in UTF-8 bytes. */
  start: number;
}

/**
 * Searches files that have redacted parts by their redacted text. Results must not depend on redacted parts, or an agent could
 * guess them letter by letter. So a match counts only if it does not touch a redacted part. Ripgrep then finds it in the file
 * itself too, whatever the redacted text is: its expressions look no farther than the next character.
 */
export class RedactedTexts {
  readonly #locator: Locator;
  readonly #redaction: Redaction;
  readonly #asked: RipgrepSearch;
  readonly #found: FoundLines;
  readonly #waiting: Text[] = [];
  #length = 0;
  #slow = 0;

  constructor(locator: Locator, redaction: Redaction, asked: RipgrepSearch, found: FoundLines) {
    this.#locator = locator;
    this.#redaction = redaction;
    this.#asked = asked;
    this.#found = found;
  }

  /** Takes a file over; false if nothing in it is redacted. @param asSearched its bytes as ripgrep searches them */
  async takeFile({ path, uri }: Searched, bytes: Buffer, asSearched: Buffer): Promise<boolean> {
    if (bytes.length > LARGEST) return true;
    const { vscode } = this.#locator;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const location = { uri, path, ...(folder && { folder }) };
    const read = await decode(this.#locator, location, bytes, openDocument(vscode, location)?.encoding);
    const text = decodeUtf8(asSearched);
    const isSame = text !== undefined && (read === text || read === `\ufeff${text}`);
    if (isSame && !text.includes('\0')) return this.#takeText(path, text);
    // Ripgrep searches another text than agents read: the file is left out if it has redacted text.
    return this.#inTime(() => holdsRedacted(this.#redaction.of(path), bytes, read), true);
  }

  /** Takes over text that only the editor has; false if nothing in it is redacted. */
  async takeUnsaved(path: string, text: string, encoding: string): Promise<boolean> {
    const isMissed = await missesRedacted(this.#locator, path, text, { encoding }).catch(() => true);
    return isMissed || this.#takeText(path, text);
  }

  /** Searches the texts taken over so far. @throws CancelledError */
  async search(): Promise<void> {
    const { query } = this.#asked;
    const texts = this.#waiting.splice(0);
    this.#length = 0;
    const lines = texts.flatMap((text) => text.lines.map((line, index) => ({ text, index, line })));
    if (lines.length === 0) return;
    const hits: Hit[] = [];
    await inText({
      ...this.#asked,
      query: { ...query, contextLines: 0 },
      // Ripgrep drops a byte order mark from the start, so an empty line comes first.
      text: ['', ...lines.map(({ line }) => line), ''].join('\n'),
      onPiece(piece, isCut) {
        if (isCut) return;
        const { type, data } = JSON.parse(piece) as RipgrepEvent;
        const line = type === 'match' ? lines[(data.line_number ?? 0) - 2] : undefined;
        const start = line && firstApart(line.line, data.submatches);
        if (line && start !== undefined) hits.push({ ...line, start });
      },
      beforeMore: async () => hits.length < MOST_HITS,
    });
    this.#found.add(shown(hits, query.contextLines));
  }

  async #takeText(path: string, text: string): Promise<boolean> {
    const redacted = this.#inTime(() => this.#redaction.of(path).redact(text, MARK), undefined);
    if (redacted === text) return false;
    if (redacted === undefined || isMultiline(this.#asked.query)) return true;
    this.#waiting.push({ path, lines: redacted.replace(/\n$/, '').split(/\r?\n/) });
    this.#length += redacted.length;
    if (this.#length >= MOST_TEXT) await this.search();
    return true;
  }

  #inTime<T>(run: () => T, otherwise: T): T {
    if (this.#slow >= MOST_SLOW) return otherwise;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#slow++;
      this.#asked.query.onNote?.(SLOW);
      return otherwise;
    }
  }
}

/** Start of the first match that neither contains nor touches a redacted part, in bytes. */
function firstApart(line: string, matches: RipgrepEvent['data']['submatches'] = []): number | undefined {
  const bytes = Buffer.from(line);
  const isApart = ({ start, end }: (typeof matches)[number]) => {
    const mark = bytes.indexOf(MARK_BYTES, Math.max(0, start - MARK_BYTES.length));
    return mark < 0 || mark > end;
  };
  return matches.find(isApart)?.start;
}

/** The hits with their context lines. */
function shown(hits: readonly Hit[], contextLines: number): SearchLine[] {
  const found = new Map<string, SearchLine>();
  for (const { text, index, start } of hits) {
    const { path, lines } = text;
    const last = Math.min(lines.length - 1, index + contextLines);
    for (let at = Math.max(0, index - contextLines); at <= last; at++) {
      const [key, hit] = [`${at} ${path}`, at === index];
      const line = { path, line: at + 1, text: shownLine(lines[at] ?? '', hit ? start : 0), hit };
      if (hit || !found.has(key)) found.set(key, line);
    }
  }
  return [...found.values()];
}

/** A line as agents see it. @param start of the hit, in UTF-8 bytes */
function shownLine(line: string, start: number): string {
  const show = (text: string) => text.replaceAll(MARK, REDACTED);
  const before = Buffer.from(line).subarray(0, start).toString('utf8');
  return around(show(line), Buffer.byteLength(show(before))).shown;
}
