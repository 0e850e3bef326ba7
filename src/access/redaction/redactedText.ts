import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { quotedLiterals } from './quotedLiterals.ts';
import { merged, REDACTED, type Redaction, type Span, withEndsOf, withoutSpans } from './redaction.ts';

/** Secrets of a text that are searched for in messages about it: how many, and how short, in UTF-16 units. */
const MOST_SECRETS = 1_000;
const SHORTEST_SECRET = 4;

/** Without quotes and the like around it, which a match may include. */
const bare = (secret: string): string => secret.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

type Range = Pick<vscode.Range, 'start' | 'end'>;

/** Names of types that are no secret: servers quote them as they quote literals. */
const TYPES =
  /^(type\[)?(string|number|boolean|bigint|symbol|object|undefined|unknown|never|bool|float|bytes|None|list|dict|tuple|frozenset|Unknown)\]?$/;

/** What pyright prints around a literal. */
const PYTHON_LITERAL = /^(?:type\[)?Literal\['(.*)'\]+$/s;

/** The text of a document with redacted parts, and messages about its lines: problems, symbols. */
export class RedactedText {
  readonly #redaction: Redaction;
  readonly #text: string;
  readonly #spans: readonly Span[];
  readonly #lineStarts: number[];
  readonly #secrets: ReadonlySet<string>;
  /** As agents may see it, and the others. */
  readonly #shown: readonly string[];

  /**
   * @param text undefined if it is not known: then nothing is told about it
   * @param others texts that the agent may see as well; messages may quote them
   * @throws UserError as `spans` does
   */
  constructor(redaction: Redaction, text: string | undefined, others: readonly string[] = []) {
    this.#redaction = redaction;
    this.#text = withLf(text ?? '');
    this.#spans =
      text === undefined ? [{ start: 0, end: Number.POSITIVE_INFINITY }] : redaction.spans(this.#text);
    this.#lineStarts = [0];
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1))
      this.#lineStarts.push(at + 1);
    this.#shown = [withoutSpans(this.#text, this.#spans), ...others];
    const secrets = this.#spans
      .slice(0, MOST_SECRETS)
      .map(({ start, end }) => this.#text.slice(start, end))
      .flatMap((secret) => [secret, ...secret.split('\n').map(bare)]);
    this.#secrets = new Set(secrets.filter(({ length }) => length >= SHORTEST_SECRET));
  }

  /** The text of a range, cut after it was redacted, or half a secret would show. @param raw the same unredacted */
  part({ start, end }: Range, raw: string): string {
    const span = { start: this.#offsetOf(start), end: this.#offsetOf(end) };
    return withEndsOf(raw, withoutSpans(this.#text, this.#spans, REDACTED, span));
  }

  /** A message about a range. It may quote any part of its lines, so nothing of it is told if they hold redacted text. */
  said(message: string, { start, end }: Range): string {
    return this.#hides(this.#startOf(start.line), this.#startOf(end.line + 1))
      ? REDACTED
      : this.#shownOf(message);
  }

  /** The name of a range. The range may include what it names, so only its first line is looked at. */
  named(name: string, { start, end }: Range): string {
    const from = this.#offsetOf(start);
    const to = Math.min(this.#offsetOf(end), this.#startOf(start.line + 1) - 1);
    return this.#hides(from, to) ? REDACTED : this.#shownOf(name);
  }

  #hides(from: number, to: number): boolean {
    return this.#spans.some(({ start, end }) => start < Math.max(to, from + 1) && from < end);
  }

  /** A message without secrets of the text, text that looks like one, and quotes from elsewhere. */
  #shownOf(said: string): string {
    const message = withLf(said);
    const hidden = [
      ...this.#redaction.spans(message),
      ...this.#quotedOfElsewhere(message),
      ...quotedLiterals(message, (quoted) => this.#isKnown(quoted)),
    ];
    for (const secret of this.#secrets)
      for (let at = message.indexOf(secret); at >= 0; at = message.indexOf(secret, at + 1))
        hidden.push({ start: at, end: at + secret.length });
    return withoutSpans(message, merged(hidden));
  }

  /**
   * Text in double quotes that agents do not see in a file, such as the value of a constant that is redacted in another one.
   * If it is not clear which quotes open and which close, all text after the first one counts.
   */
  #quotedOfElsewhere(message: string): Span[] {
    const parts = message.split('"');
    const isUnclear = parts.length % 2 === 0 || /['`]"['`]|\\"/.test(message);
    let end = -1;
    return parts.flatMap((part, index) => {
      const start = end + 1;
      end = start + part.length;
      const isQuoted = index > 0 && (isUnclear || index % 2 === 1);
      return isQuoted && !this.#isKnown(part) ? { start, end } : [];
    });
  }

  /** Whether agents may see a text that a message quotes: it is in a file that they may read, short, or the name of a type. */
  #isKnown(quoted: string): boolean {
    const literal = (PYTHON_LITERAL.exec(quoted)?.[1] ?? quoted).replace(/(\.\.\.|…)$/, '');
    if (literal.length < SHORTEST_SECRET || TYPES.test(literal)) return true;
    return this.#shown.some((text) => text.includes(literal));
  }

  #offsetOf({ line, character }: vscode.Position): number {
    return Math.min(this.#startOf(line) + character, this.#startOf(line + 1) - 1);
  }

  #startOf(line: number): number {
    return this.#lineStarts[line] ?? this.#text.length + 1;
  }
}
