import type * as vscode from 'vscode';
import { withLf } from '../core/replacements.ts';
import { covered, MASK, type Redaction, type Span, withEndsOf } from './redaction.ts';

/** Secrets of a text that are looked for in what others say of it: how many, and how short, in UTF-16 units. */
const MOST_SECRETS = 1_000;
const SHORTEST_SECRET = 4;

type Range = Pick<vscode.Range, 'start' | 'end'>;

/** The text of a document, of which agents see parts, and what others say of its lines: problems, symbols. */
export class RedactedText {
  readonly #redaction: Redaction;
  readonly #text: string;
  readonly #spans: readonly Span[];
  readonly #starts: readonly number[];
  readonly #secrets: ReadonlySet<string>;

  /** @param text undefined where it is not known: then all that is said of it is hidden. @throws UserError as `spans` does */
  constructor(redaction: Redaction, text: string | undefined) {
    this.#redaction = redaction;
    this.#text = withLf(text ?? '');
    this.#spans =
      text === undefined ? [{ start: 0, end: Number.POSITIVE_INFINITY }] : redaction.spans(this.#text);
    const starts = [0];
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1))
      starts.push(at + 1);
    this.#starts = starts;
    const secrets = this.#spans.slice(0, MOST_SECRETS).map(({ start, end }) => this.#text.slice(start, end));
    this.#secrets = new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET));
  }

  /** What stands in a range, cut after it has been masked: else half a secret would show. @param raw the same as it is */
  part({ start, end }: Range, raw: string): string {
    const span = { start: this.#offsetOf(start), end: this.#offsetOf(end) };
    return withEndsOf(
      raw,
      covered(this.#text, this.#spans, () => MASK, span),
    );
  }

  /** Whether a range has redacted text on its lines, or with `exactly` in itself. */
  hides({ start, end }: Range, exactly = false): boolean {
    const from = exactly ? this.#offsetOf(start) : this.#lineAt(start.line);
    const to = exactly ? this.#offsetOf(end) : this.#lineAt(end.line + 1);
    return this.#spans.some((span) => span.start < Math.max(to, from + 1) && from < span.end);
  }

  /**
   * What somebody says of a range. It may quote what stands on its lines, and any part of it: where something is redacted
   * there, nothing of it is told.
   */
  said(message: string, range: Range, exactly = false): string {
    if (this.hides(range, exactly)) return MASK;
    let shown = message;
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, MASK);
    return this.#redaction.mask(shown);
  }

  #offsetOf({ line, character }: vscode.Position): number {
    return Math.min(this.#lineAt(line) + character, this.#lineAt(line + 1) - 1);
  }

  #lineAt(line: number): number {
    return this.#starts[line] ?? this.#text.length + 1;
  }
}
