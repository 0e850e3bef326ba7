import { UserError } from '../../core/errors.ts';
import { placesInStrings } from '../../core/text/jsonStrings.ts';
import { withLf } from '../../core/text/replacements.ts';
import { bounded } from '../../util/runBounded.ts';

/** What agents get to see instead of what is redacted. */
export const REDACTED = '[redacted]';

const SETTING = 'setting workspaceMcp.access.redact';
/** A repository brings patterns as well. Lengths are UTF-16 units. */
const MOST_PATTERNS = 100;
const LONGEST_PATTERN = 1_000;
/** How long all patterns may take for one text, in milliseconds: the extension host waits meanwhile. */
const TIME = 1_000;

/** A part of a text that is redacted, in UTF-16 units, the end not included. */
export interface Span {
  start: number;
  end: number;
}

/** Why a pattern cannot be used. */
export interface BrokenPattern {
  pattern: string;
  reason: string;
}

/**
 * Finds what agents may not see in a text. Where a pattern cannot be used, nothing is read: nobody knows what it was to hide.
 * Errors never quote a pattern, which may be a secret itself.
 */
export class Redaction {
  readonly #sources: readonly string[];
  readonly #isOfNotebooks: boolean;
  readonly #patterns: readonly RegExp[];
  #ofNotebooks: Redaction | undefined;
  readonly broken: BrokenPattern | undefined;

  /** @param sources regular expressions of JavaScript, or `/…/i` with flags; white space at their ends does not count */
  constructor(sources: readonly string[], isOfNotebooks = false) {
    this.#sources = sources;
    this.#isOfNotebooks = isOfNotebooks;
    const all = [...new Set(sources)];
    const [tooMany] = all.splice(MOST_PATTERNS);
    const compiled = all.map(compile);
    this.#patterns = compiled.filter((one) => one instanceof RegExp);
    this.broken =
      tooMany === undefined
        ? compiled.flatMap((one) => (one instanceof RegExp ? [] : one))[0]
        : { pattern: tooMany, reason: `there are more than ${MOST_PATTERNS} patterns` };
  }

  get isOff(): boolean {
    return this.#patterns.length === 0 && !this.broken;
  }

  /** For the text of a file: in a notebook, also what matches in the strings of its JSON as they read. */
  of(path: string): Redaction {
    if (!/\.ipynb$/i.test(path)) return this;
    this.#ofNotebooks ??= new Redaction(this.#sources, true);
    return this.#ofNotebooks;
  }

  /**
   * Whether no match is more, or depends on more, than what stands before the end of its line: what is not surely so is not.
   * A lookbehind looks at what is there already.
   */
  get staysInLine(): boolean {
    const crosses = /[^ -\uffff]|\[\^|\\[^SdwbB\W]|\(\?[a-z]/;
    return this.#patterns.every(
      ({ source, dotAll }) => !dotAll && !crosses.test(source.replace(/^\(\?<[=!][^()]*\)/, '')),
    );
  }

  /** @throws UserError where a pattern cannot be used */
  require(): void {
    if (!this.broken) return;
    throw new UserError(
      `Nothing is read: a pattern of the ${SETTING} cannot be used (${this.broken.reason}). The person has to correct it.`,
    );
  }

  /**
   * What is redacted in a text, in its order, no two parts touching, and none that begins or ends with a newline.
   *
   * @param text with `\n` between the lines
   * @throws UserError where a pattern is broken, or they do not come to an end
   */
  spans(text: string): Span[] {
    this.require();
    if (this.isOff || text === '') return [];
    try {
      return bounded(() => this.#find(text), TIME);
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      const why = isLate ? `took longer than ${TIME} ms` : 'were too much for a text of this size';
      throw new UserError(
        `This cannot be read: the patterns of the ${SETTING} ${why}. The person can make them simpler.`,
      );
    }
  }

  /** The text as agents may see it: with as many lines, and their ends, as before. @throws UserError as `spans` does */
  redact(text: string, by = REDACTED): string {
    if (this.isOff) return text;
    const plain = withLf(text);
    const spans = this.spans(plain).filter((span) => !isRedacted(plain, span));
    return spans.length === 0 ? text : withEndsOf(text, withoutSpans(plain, spans, by));
  }

  #find(text: string): Span[] {
    const found = this.#matches(text);
    if (this.#isOfNotebooks) found.push(...placesInStrings(text, (read) => merged(this.#matches(read))));
    return merged(found)
      .map((span) => trimmed(text, span))
      .filter(({ start, end }) => start < end);
  }

  #matches(text: string): Span[] {
    const found: Span[] = [];
    for (const pattern of this.#patterns)
      for (const { 0: match, index } of text.matchAll(pattern))
        found.push({ start: index, end: index + match.length });
    return found;
  }
}

/** In the order of the text, no two touching. */
export function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (start < end) all.push({ start, end });
  }
  return all;
}

/** Whether all of it is in what is redacted already. */
const isRedacted = (text: string, { start, end }: Span): boolean =>
  end - start <= REDACTED.length &&
  text.slice(Math.max(0, end - REDACTED.length), start + REDACTED.length).includes(REDACTED);

const UTF8 = new TextDecoder();
const UTF16 = new TextDecoder('utf-16le');

/** Whether bytes hold redacted text in a usual encoding, or in the text that they are read as. @throws UserError as `spans` does */
export function holdsRedacted(redaction: Redaction, bytes: Uint8Array, read = ''): boolean {
  const { buffer, byteOffset, length } = bytes;
  const latin1 = Buffer.from(buffer, byteOffset, length).toString('latin1');
  const texts = [read, UTF8.decode(bytes), latin1, UTF16.decode(bytes), UTF16.decode(bytes.subarray(1))];
  return texts.some((text) => redaction.spans(withLf(text)).length > 0);
}

/** Bytes that are no text cannot be redacted: they are not handed out if they hold redacted text. @throws UserError */
export function requireNothingRedacted(redaction: Redaction, path: string, bytes: Uint8Array): void {
  if (redaction.isOff || !holdsRedacted(redaction, bytes)) return;
  throw new UserError(
    `${path} cannot be read: it is no text, and holds what is redacted for agents (${SETTING}).`,
  );
}

/**
 * `^` and `$` are those of a line; by `u` no character is cut in two, and what is written wrongly is no pattern. Of flags
 * `i`, `s` and `v` count; others that JavaScript has make no difference here.
 */
function compile(source: string): RegExp | BrokenPattern {
  if (source.length > LONGEST_PATTERN)
    return { pattern: source, reason: `it has more than ${LONGEST_PATTERN} characters` };
  const trimmed = source.trim();
  const [, body = trimmed, flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(trimmed) ?? [];
  // A path is none; what has more of an expression in it was meant to be one.
  if (body === trimmed && /^\/.*[\\[\](){}*+?|^$].*\/\w{1,8}$/s.test(trimmed))
    return { pattern: source, reason: 'what stands behind its last slash are no flags of JavaScript' };
  const counted = ['i', 's'].filter((flag) => flags.includes(flag)).join('');
  try {
    return new RegExp(body, `gm${counted}${flags.includes('v') ? 'v' : 'u'}`);
  } catch (error) {
    const { message } = error as Error;
    return { pattern: source, reason: message.slice(message.lastIndexOf(': ') + 2) };
  }
}

function trimmed(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (from < to && text[from] === '\n') from++;
  while (from < to && text[to - 1] === '\n') to--;
  return { start: from, end: to };
}

/** A part of a text with its spans replaced, line by line. */
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

/** A text with `\n` between its lines, with the line ends of another one that has as many. */
export function withEndsOf(original: string, text: string): string {
  if (!original.includes('\r')) return text;
  const ends = original.match(/\r\n?|\n/g) ?? [];
  let next = 0;
  return text.replace(/\n/g, () => ends[next++] ?? '\n');
}
