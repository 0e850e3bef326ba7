import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { merged, REDACTED, type Redaction, type Span, withEndsOf, withoutSpans } from './redaction.ts';

/** Secrets of a text that are looked for in what others say of it: how many, and how short, in UTF-16 units. */
export const MOST_SECRETS = 1_000;
export const SHORTEST_SECRET = 4;

/** Without quotes and the like around it, which a match may have taken with it. */
const bare = (secret: string): string => secret.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

type Range = Pick<vscode.Range, 'start' | 'end'>;

/** The text of a document, of which agents see parts, and what others say of its lines: problems, symbols. */
export class RedactedText {
  readonly #redaction: Redaction;
  readonly #text: string;
  readonly #spans: readonly Span[];
  readonly #starts: readonly number[];
  readonly #secrets: ReadonlySet<string>;
  /** As agents may see it. */
  readonly #shown: string;

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
    this.#shown = withoutSpans(this.#text, this.#spans);
    const secrets = this.#spans
      .slice(0, MOST_SECRETS)
      .map(({ start, end }) => this.#text.slice(start, end))
      .flatMap((secret) => [secret, ...secret.split('\n').map(bare)]);
    this.#secrets = new Set(secrets.filter(({ length }) => length >= SHORTEST_SECRET));
  }

  /** What stands in a range, cut after it has been redacted: else half a secret would show. @param raw the same as it is */
  part({ start, end }: Range, raw: string): string {
    const span = { start: this.#offsetOf(start), end: this.#offsetOf(end) };
    return withEndsOf(raw, withoutSpans(this.#text, this.#spans, REDACTED, span));
  }

  /**
   * What somebody says of a range. It may quote what stands on its lines, and any part of it: where something is redacted
   * there, nothing of it is told.
   */
  said(message: string, { start, end }: Range): string {
    return this.#hides(this.#lineAt(start.line), this.#lineAt(end.line + 1))
      ? REDACTED
      : this.#shownOf(message);
  }

  /** A name that stands in a range, which may hold what it names as well: only the range's first line is looked at. */
  named(name: string, { start, end }: Range): string {
    const from = this.#offsetOf(start);
    const isHidden = this.#hides(from, Math.min(this.#offsetOf(end), this.#lineAt(start.line + 1) - 1));
    const isPart = () => !this.#shown.includes(name) && [...this.#secrets].some((one) => one.includes(name));
    return isHidden || isPart() ? REDACTED : this.#shownOf(name);
  }

  #hides(from: number, to: number): boolean {
    return this.#spans.some(({ start, end }) => start < Math.max(to, from + 1) && from < end);
  }

  /** A message without what the text holds of secrets, what looks like one, and what it quotes of elsewhere. */
  #shownOf(said: string): string {
    const message = withLf(said);
    const hidden = [...this.#redaction.spans(message), ...this.#quotedOfElsewhere(message)];
    for (const secret of this.#secrets)
      for (let at = message.indexOf(secret); at >= 0; at = message.indexOf(secret, at + 1))
        hidden.push({ start: at, end: at + secret.length });
    return withoutSpans(message, merged(hidden));
  }

  /**
   * What stands in double quotes, and not in what agents may see of the text: the value of a constant, which is a part of what is
   * redacted where that is declared. Where it is not clear which quotes open and which close, all after the first is quoted.
   */
  #quotedOfElsewhere(message: string): Span[] {
    const parts = message.split('"');
    const isUnclear = parts.length % 2 === 0 || /['`]"['`]|\\"/.test(message);
    let end = -1;
    return parts.flatMap((part, index) => {
      const start = end + 1;
      end = start + part.length;
      const isQuoted = index > 0 && (isUnclear || index % 2 === 1);
      return isQuoted && !this.#shown.includes(part.replace(/(\.\.\.|…)$/, '')) ? { start, end } : [];
    });
  }

  #offsetOf({ line, character }: vscode.Position): number {
    return Math.min(this.#lineAt(line) + character, this.#lineAt(line + 1) - 1);
  }

  #lineAt(line: number): number {
    return this.#starts[line] ?? this.#text.length + 1;
  }
}
