import { createHash } from 'node:crypto';
import { UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { placesInStrings, type Span } from './jsonStrings.ts';
import {
  type BadPattern,
  type BrokenPattern,
  compilePatterns,
  PatternsTooSlow,
  PatternTime,
  TIME,
} from './patterns.ts';

/** Replaces redacted text. */
export const REDACTED = '[redacted]';

const SETTING = 'setting workspaceMcp.access.redact';
const MOST_SLOW = 10_000;

interface Limits {
  time: PatternTime;
  /** Called with a pattern that was too slow. */
  onSlow?(pattern: BadPattern): void;
}

/**
 * Finds the parts of a text that agents may not see. If a pattern cannot be used, nothing is read, because the text to hide is
 * unknown. Errors never quote a pattern: it may be a secret itself.
 */
export class Redaction {
  readonly #sources: readonly string[];
  readonly #limits: Limits;
  readonly #isOfNotebooks: boolean;
  readonly #patterns: ReadonlyMap<string, RegExp>;
  /** Hashes of texts for which the patterns used all the time. */
  readonly #slow = new Set<string>();
  #running: string | undefined;
  #ofNotebooks: Redaction | undefined;
  readonly broken: BrokenPattern | undefined;
  readonly isOff: boolean;

  /** @param sources JavaScript regular expressions, or `/…/i` with flags; leading and trailing white space is ignored */
  constructor(
    sources: readonly string[],
    limits: Limits = { time: new PatternTime() },
    isOfNotebooks = false,
  ) {
    this.#sources = sources;
    this.#limits = limits;
    this.#isOfNotebooks = isOfNotebooks;
    const { patterns, broken } = compilePatterns(sources);
    this.#patterns = patterns;
    this.broken = broken;
    this.isOff = patterns.size === 0 && !broken;
  }

  /** The redaction for a file. In a notebook it also searches the unescaped strings of the JSON. */
  of(path: string): Redaction {
    if (this.isOff || !/\.ipynb$/i.test(path)) return this;
    this.#ofNotebooks ??= new Redaction(this.#sources, this.#limits, true);
    return this.#ofNotebooks;
  }

  /** Whether no match can depend on text after its line. A lookbehind at the start needs only earlier text. */
  get staysInLine(): boolean {
    return this.#isInLine((source) => source.replace(/^\(\?<[=!][^()]*\)/, ''));
  }

  /** Whether no match can depend on other lines, so that each can be redacted alone. */
  get isByLine(): boolean {
    return this.#isInLine((source) => source);
  }

  #isInLine(part: (source: string) => string): boolean {
    const crosses = /[^ -\uffff]|\[\^|\\[^SdwbB\W]|\(\?[a-z]/;
    return [...this.#patterns.values()].every(({ source, dotAll }) => !dotAll && !crosses.test(part(source)));
  }

  /** @throws UserError if a pattern cannot be used */
  require(): void {
    if (!this.broken) return;
    throw new UserError(
      `Nothing can be read: a pattern of the ${SETTING} cannot be used (${this.broken.reason}). Ask the user to correct it.`,
    );
  }

  /**
   * The redacted parts of a text, sorted, not touching.
   *
   * @param text with `\n` line ends
   * @throws UserError if a pattern is broken or too slow
   */
  spans(text: string): Span[] {
    this.require();
    if (this.isOff || text === '') return [];
    const key = this.#slow.size > 0 ? hashOf(text) : '';
    if (this.#slow.has(key)) throw tooSlow(TIME);
    try {
      return this.#limits.time.run(text.length, () => this.#find(text));
    } catch (error) {
      if (!(error instanceof PatternsTooSlow)) throw unreadable('cannot handle a text of this size');
      if (error.limit === TIME && this.#slow.size < MOST_SLOW) this.#slow.add(key || hashOf(text));
      if (this.#running !== undefined) this.#limits.onSlow?.({ pattern: this.#running });
      throw tooSlow(error.limit);
    }
  }

  /** The redacted text, with the same number of lines and the same line ends. @throws UserError as `spans` does */
  redact(text: string, by = REDACTED): string {
    if (this.isOff) return text;
    const plain = withLf(text);
    const spans = this.spans(plain).filter((span) => !isRedacted(plain, span));
    return spans.length === 0 ? text : withEndsOf(text, withoutSpans(plain, spans, by));
  }

  #find(text: string): Span[] {
    const found = this.#matches(text);
    if (this.#isOfNotebooks) found.push(...placesInStrings(text, (read) => merged(this.#matches(read))));
    return merged(found);
  }

  #matches(text: string): Span[] {
    const found: Span[] = [];
    for (const [source, pattern] of this.#patterns) {
      this.#running = source;
      for (const { 0: match, index } of text.matchAll(pattern))
        found.push({ start: index, end: index + match.length });
    }
    return found;
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

const unreadable = (why: string): UserError =>
  new UserError(
    `This cannot be read: the patterns of the ${SETTING} ${why}. Ask the user to make them simpler.`,
  );

const tooSlow = (limit: number): UserError =>
  unreadable(
    `took longer than ${limit} ms${limit < TIME ? ', because other texts were slow just before. Try again in a minute' : ''}`,
  );

/** Sorted, and touching spans joined. */
export function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (start < end) all.push({ start, end });
  }
  return all;
}

/** Whether the whole span is `[redacted]` already. */
const isRedacted = (text: string, { start, end }: Span): boolean =>
  end - start <= REDACTED.length &&
  text.slice(Math.max(0, end - REDACTED.length), start + REDACTED.length).includes(REDACTED);

const UTF8 = new TextDecoder();
const UTF16 = new TextDecoder('utf-16le');

/** Whether bytes contain redacted text in a common encoding, or in the text that agents read. @throws UserError as `spans` does */
export function holdsRedacted(redaction: Redaction, bytes: Uint8Array, read = ''): boolean {
  const { buffer, byteOffset, length } = bytes;
  const latin1 = Buffer.from(buffer, byteOffset, length).toString('latin1');
  const texts = [read, UTF8.decode(bytes), latin1, UTF16.decode(bytes), UTF16.decode(bytes.subarray(1))];
  return texts.some((text) => redaction.spans(withLf(text)).length > 0);
}

/** Binary content cannot be redacted, so it is refused if it contains redacted text. @throws UserError */
export function requireNothingRedacted(redaction: Redaction, path: string, bytes: Uint8Array): void {
  if (redaction.isOff || !holdsRedacted(redaction, bytes)) return;
  throw new UserError(`${path} cannot be read: it is not text, and it contains redacted text (${SETTING}).`);
}

/** A part of a text with its spans replaced; line breaks stay. */
export function withoutSpans(
  text: string,
  spans: readonly Span[],
  by = REDACTED,
  { start: from, end: to }: Span = { start: 0, end: text.length },
): string {
  const parts: string[] = [];
  let at = from;
  for (const { start, end } of spans) {
    if (end <= from || start >= to) continue;
    parts.push(text.slice(at, Math.max(start, from)));
    at = Math.min(end, to);
    parts.push(text.slice(Math.max(start, from), at).replace(/[^\n]+/g, () => by));
  }
  return parts.join('') + text.slice(at, Math.max(at, to));
}

/** Gives a text with `\n` line ends the line ends of another text with as many lines. */
export function withEndsOf(original: string, text: string): string {
  if (!original.includes('\r')) return text;
  const ends = original.match(/\r\n?|\n/g) ?? [];
  let next = 0;
  return text.replace(/\n/g, () => ends[next++] ?? '\n');
}
