import type * as vscode from 'vscode';
import { REDACTED, type Redaction } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { decode } from '../read/decode.ts';
import { openDocument } from '../read/displayPath.ts';
import { locateUri } from '../read/locate.ts';
import type { Locator } from '../read/location.ts';
import type { Match } from './ripgrepArguments.ts';
import { around, MOST_HITS, type Searched, type SearchLine } from './ripgrepEvents.ts';
import { isSealed, SEAL, type SealedText, sealedText } from './sealedText.ts';

const SEAL_BYTES = Buffer.from(SEAL);
/** Larger files are left out where anything is redacted, in bytes. */
const LARGEST = 64 * 1024 * 1024;
/** How long redacting may take for one file, in milliseconds, and for all beyond what each may take anyway. */
const TIME_OF_FILE = 1_000;
const TIME = 2_000;
const USUAL_TIME = 10;
/** When the query is tried again: after so many lines, or bytes of the files that they are in. */
const MOST_LINES = 5_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** What a search looks for, and by what: where the query matches each of some lines. */
export interface Redacting {
  redaction: Redaction;
  contextLines: number;
  isMultiline: boolean;
  match(lines: readonly string[]): Promise<ReadonlyMap<number, readonly Match[]>>;
  onSlow?(): void;
}

/** A line that ripgrep has found. */
interface Found {
  line: SearchLine;
  /** The file's text where anything is redacted in it. */
  text?: SealedText;
  /** The line where anything is redacted in it: not yet a hit. */
  sealed?: string;
}

/**
 * Lines of a search without what is redacted. What is found must not depend on it, or an agent could guess it letter by letter:
 * a line with redacted text is a hit only where the query matches what the agent may see of it, apart from [redacted]; hits are
 * counted after that; and the lines around them are taken from what the agent may see. Files that cannot be redacted are left
 * out, for the same reason: an error would tell that there was a hit.
 */
export class RedactedHits {
  readonly #locator: Locator;
  readonly #how: Redacting;
  #last: { searched: Searched; text: SealedText | undefined } | undefined;
  /** In the order of ripgrep, in which they are counted: the first ones are shown. */
  #waiting: Found[] = [];
  /** Of the files whose text waits. */
  #bytes = 0;
  #plainHits = 0;
  #hits = 0;
  readonly #plain: SearchLine[] = [];
  /** By line and file. */
  readonly #shown = new Map<string, SearchLine>();
  /** What is left of the time for redacting. */
  #time = TIME;

  constructor(locator: Locator, how: Redacting) {
    this.#locator = locator;
    this.#how = how;
  }

  /** Whether no more is wanted, or no time is left for it. */
  get isOver(): boolean {
    return this.#hits + this.#plainHits >= MOST_HITS || this.#time <= 0;
  }

  /** Takes lines of a file. @param bytes of the file @param asSearched the same as ripgrep searches them */
  async add(
    searched: Searched,
    lines: readonly SearchLine[],
    bytes: Buffer,
    asSearched: Buffer,
  ): Promise<void> {
    if (this.#last?.searched !== searched) {
      this.#last = { searched, text: await this.#sealed(searched, bytes, asSearched) };
      if (this.#last.text?.isSealed) this.#bytes += asSearched.length;
    }
    const { text } = this.#last;
    if (!text || (text.isSealed && this.#how.isMultiline)) return;
    for (const line of lines) {
      const found = text.isSealed ? foundIn(text, line) : { line };
      if (found) this.#waiting.push(found);
      if (found?.line.hit && found.sealed === undefined) this.#plainHits++;
    }
    if (this.#waiting.length >= MOST_LINES || this.#bytes >= MOST_BYTES) await this.#tryAgain();
  }

  /** All lines that may be shown. */
  async shown(): Promise<SearchLine[]> {
    await this.#tryAgain();
    return [...this.#plain, ...this.#shown.values()];
  }

  /** Undefined where it is left out. */
  async #sealed(
    { path, content }: Searched,
    bytes: Buffer,
    asSearched: Buffer,
  ): Promise<SealedText | undefined> {
    if (bytes.length > LARGEST) return undefined;
    try {
      const read = typeof content === 'string' ? undefined : await this.#asRead(content, bytes);
      return sealedText(asSearched, read, (text) => this.#redact(path, text));
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }

  async #asRead(source: vscode.Uri, bytes: Buffer): Promise<string | undefined> {
    const location = await locateUri(this.#locator, source.toString());
    const encoding = openDocument(this.#locator.vscode, location)?.encoding;
    return decode(this.#locator, location, bytes, encoding);
  }

  /** What is told of slow files tells no more than the time that they took. @throws UserError */
  #redact(path: string, text: string): string {
    const time = Math.max(1, Math.ceil(Math.min(TIME_OF_FILE, this.#time)));
    const started = performance.now();
    let isDone = false;
    try {
      const redacted = this.#how.redaction.of(path).redact(text, SEAL, time);
      isDone = true;
      return redacted;
    } finally {
      const taken = performance.now() - started;
      this.#time -= Math.max(0, taken - USUAL_TIME);
      if (this.#time <= 0 || (!isDone && taken > time / 2)) this.#how.onSlow?.();
    }
  }

  async #tryAgain(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    this.#plainHits = 0;
    const asked = waiting.flatMap(({ sealed }) => sealed ?? []);
    const matches = asked.length > 0 ? await this.#how.match(asked) : new Map<number, Match[]>();
    let index = 0;
    for (const { line, text, sealed } of waiting) {
      if (this.#hits >= MOST_HITS) return;
      const hitAt = sealed === undefined ? 0 : firstApart(sealed, matches.get(index++));
      if (hitAt === undefined) continue;
      if (line.hit) this.#hits++;
      if (!text) this.#plain.push(line);
      else this.#show(sealed === undefined ? line : { ...line, text: unsealed(sealed, hitAt) }, text);
    }
  }

  /** A hit in a file with redacted text, and the lines around it. */
  #show(hit: SearchLine, { lines }: SealedText): void {
    const { path, line: at = 0 } = hit;
    const { contextLines } = this.#how;
    const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
    for (let line = Math.max(1, at - contextLines); line <= Math.min(end, at + contextLines); line++) {
      const key = `${line} ${path}`;
      if (line === at) this.#shown.set(key, hit);
      else if (!this.#shown.has(key))
        this.#shown.set(key, { path, line, text: unsealed(lines[line - 1] ?? '', 0), hit: false });
    }
  }
}

function foundIn(text: SealedText, line: SearchLine): Found | undefined {
  const index = (line.line ?? 0) - 1;
  const [now, raw] = [text.lines[index], text.raw[index]];
  if (!line.hit || now === undefined || raw === undefined) return undefined;
  if (isSealed(now))
    return text.isSearched(index)
      ? { line, text, sealed: now.replace(/\r$/, '').replaceAll('\0', SEAL) }
      : undefined;
  // The file may have changed since ripgrep read it: then the line is another one.
  return line.piece && !raw.includes(line.piece.toString('latin1')) ? undefined : { line, text };
}

/**
 * Where the first match begins that neither holds nor touches redacted text: by an expression that looks no farther than the
 * next character, as all of ripgrep's do, the line has that match whatever the text is. In bytes.
 */
function firstApart(sealed: string, matches: readonly Match[] = []): number | undefined {
  const bytes = Buffer.from(sealed);
  const touches = ({ start, end }: Match) => {
    const at = bytes.indexOf(SEAL_BYTES, Math.max(0, start - SEAL_BYTES.length));
    return at >= 0 && at <= end;
  };
  return matches.find((match) => !touches(match))?.start;
}

/** As agents see a line. @param hitAt where the hit begins in it, in bytes */
function unsealed(sealed: string, hitAt: number): string {
  const line = Buffer.from(sealed.replace(/\r$/, ''));
  // Copied: a piece of a text would keep all of it in memory.
  const shownOf = (bytes: Buffer) => bytes.toString('utf8').replaceAll(SEAL, REDACTED);
  return around(shownOf(line), Buffer.byteLength(shownOf(line.subarray(0, hitAt)))).shown;
}
