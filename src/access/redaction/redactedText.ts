import type * as vscode from 'vscode';
import { Source } from '../../core/declarations/source.ts';
import { lazyPattern } from '../../core/text/lazyPattern.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { Span } from './jsonStrings.ts';
import { merged, REDACTED, type Redaction, withEndsOf, withoutSpans } from './redaction.ts';

/** Limits for secrets of a text that are searched for in messages: how many, and the shortest, in UTF-16 units. */
const MOST_SECRETS = 1_000;
const SHORTEST_SECRET = 4;

/** Without quotes and other punctuation around it, which a match may include. */
const bare = (secret: string): string => secret.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

type Range = Pick<vscode.Range, 'start' | 'end'>;

/** Type names are not secret; servers quote them in the same way as literals. */
const TYPES =
  /^(type\[)?(string|number|boolean|bigint|symbol|object|undefined|unknown|never|bool|float|bytes|None|list|dict|tuple|frozenset|Unknown)\]?$/;

/** Pyright prints this around a literal. */
const PYTHON_LITERAL = /^(?:type\[)?Literal\['(.*)'\]+$/s;

/** Redacts a document's text, and messages about its lines (problems, symbols). */
export class RedactedText {
  readonly #redaction: Redaction;
  readonly #source: Source;
  readonly #spans: readonly Span[];
  readonly #secrets: ReadonlySet<string>;
  readonly #shown: string;
  /** What messages are redacted to: names of symbols are often alike. */
  readonly #said = new Map<string, string>();

  /**
   * @param text undefined if unknown: then every message about it is redacted
   * @throws UserError as `spans` does
   */
  constructor(redaction: Redaction, text: string | undefined) {
    this.#redaction = redaction;
    const own = withLf(text ?? '');
    this.#source = new Source(own);
    this.#spans = text === undefined ? [{ start: 0, end: Number.POSITIVE_INFINITY }] : redaction.spans(own);
    this.#shown = withoutSpans(own, this.#spans);
    const secrets = this.#spans
      .slice(0, MOST_SECRETS)
      .map(({ start, end }) => own.slice(start, end))
      .flatMap((secret) => [secret, ...secret.split('\n').map(bare)]);
    this.#secrets = new Set(secrets.filter(({ length }) => length >= SHORTEST_SECRET));
  }

  /** The text of a range. Redacted before it is cut, because half a secret would show otherwise. @param raw the same unredacted */
  part({ start, end }: Range, raw: string): string {
    const span = { start: this.#source.offsetAt(start), end: this.#source.offsetAt(end) };
    return withEndsOf(raw, withoutSpans(this.#source.text, this.#spans, REDACTED, span));
  }

  /** A message about a range. It may quote any part of its lines, so it is redacted if they contain redacted text. */
  said(message: string, { start, end }: Range): string {
    return this.#hides(this.#source.startOf(start.line), this.#source.startOf(end.line + 1))
      ? REDACTED
      : this.#shownOf(message);
  }

  /** The name of a symbol. Its range may include the body, so only the first line is checked. */
  named(name: string, { start, end }: Range): string {
    const from = this.#source.offsetAt(start);
    const to = Math.min(this.#source.offsetAt(end), this.#source.endOf(start.line));
    return this.#hides(from, to) ? REDACTED : this.#shownOf(name);
  }

  #hides(from: number, to: number): boolean {
    return this.#spans.some(({ start, end }) => start < Math.max(to, from + 1) && from < end);
  }

  /** Redacts secrets of the text, matches of patterns, and quotes from other files. */
  #shownOf(said: string): string {
    const shown = this.#said.get(said) ?? this.#redactedMessage(said);
    this.#said.set(said, shown);
    return shown;
  }

  #redactedMessage(said: string): string {
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
   * Text in double quotes that agents do not see in this file, such as the value of a constant that is redacted in another file.
   * If opening and closing quotes are ambiguous, all text after the first quote counts.
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

  /** Whether agents may see a quoted text: it is in this file, short, or a type name. */
  #isKnown(quoted: string): boolean {
    const literal = (PYTHON_LITERAL.exec(quoted)?.[1] ?? quoted).replace(/(\.\.\.|…)$/, '');
    if (literal.length < SHORTEST_SECRET || TYPES.test(literal)) return true;
    return this.#shown.includes(literal);
  }
}

/** The group is the quoted text. An apostrophe within a word is not a quote. */
const QUOTED = [
  /(?<![\p{L}\p{N}&<])'((?:\\.|[^'\\\n])*)'(?![\p{L}\p{N}])/dgu,
  /`((?:\\.|[^`\\\n])*)`/dgu,
  /[‘‚‛]([^‘’‚\n]*)[’‘]/dgu,
  /[“„‟＂]([^“”„＂\n]*)[”“＂]/dgu,
  /[«»]([^«»\n]*)[«»]/dgu,
  /[‹›]([^‹›\n]*)[‹›]/dgu,
  /[「『]([^「」『』\n]*)[」』]/dgu,
];

/** A literal type as Python checkers print it, and its strings; a message may be cut within a string. */
const PYTHON_LITERALS = /Literal\[(?:'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|[^\]'"\n])*/g;
const STRING = /'((?:\\.|[^'\\])*)'?|"((?:\\.|[^"\\])*)"?/dg;

/** A TypeScript template literal type. */
const TEMPLATE = /`[^`]*\$\{[^`]*`/g;

/** Text in doubled quotes: a name that is quoted in the source, or a literal in doubled quotes, as in German messages. */
const TWICE = /(?<='')[^'\s][^'\n]*(?='')|(?<="")[^"\s][^"\n]*(?="")/g;

/** Words before a quote that say it is a literal, not a name. */
const SAYS_LITERAL = /\b(?:literal|string|constant|value)[\s:]*$/i;

/** A name, with optional keywords in front. Digits may only end a word or come before a capital letter. */
const namePattern = lazyPattern(
  () =>
    /(?:'\w+\s+)?(?:\b(?:abstract|async|class|const|dyn|enum|extern|fn|function|impl|import|interface|keyof|long|module|mut|namespace|new|readonly|short|signed|static|struct|type|typeof|union|unique|unsigned)\s+)*[\p{L}_$](?:[\p{L}\p{M}_$]|\p{N}+(?![\p{Ll}\p{N}]))*|(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu,
);
const PATH = /^(?:\.{1,2}|~|@[\w-]+|[a-z]:)?[\\/][\w@.\\/-]*$/i;

/** Longest message that is searched, in UTF-16 units: finding closing quotes takes time, and code can make messages long. */
const LONGEST = 5_000;

/**
 * Where a message quotes a literal that agents may not know. Names and types are quoted in the same way, and count as known. The
 * rest of a very long message counts as a literal.
 */
function quotedLiterals(message: string, isKnown: (literal: string) => boolean): Span[] {
  if (message.length > LONGEST)
    return [...quotedLiterals(message.slice(0, LONGEST), isKnown), { start: LONGEST, end: message.length }];
  const templates = [...message.matchAll(TEMPLATE)].filter(({ 0: template }) =>
    template
      .slice(1, -1)
      .split(/\$\{[^}]*\}/)
      .some((part) => !isKnown(part)),
  );
  const python = [...message.matchAll(PYTHON_LITERALS)].flatMap(({ 0: literal, index }) =>
    [...literal.matchAll(STRING)].map((string) => spanOf(string, index)),
  );
  const certain = [...python, ...[...message.matchAll(TWICE)].map((match) => spanOf(match))];
  const quoted = QUOTED.flatMap((quotes) => [...message.matchAll(quotes)].map((match) => spanOf(match)));
  const textOf = ({ start, end }: Span) => message.slice(start, end);
  return [
    ...templates.map((match) => spanOf(match)),
    ...certain.filter((span) => !isKnown(textOf(span))),
    ...quoted.filter((span) => {
      const text = withoutNested(textOf(span));
      const isCalledLiteral = SAYS_LITERAL.test(message.slice(0, span.start - 1).slice(-20));
      return !isKnown(text) && (isCalledLiteral || !isNames(text));
    }),
  ];
}

/** Removes the parts that are checked separately: double quotes, templates, literal types. */
function withoutNested(text: string): string {
  const rest = text.replace(/"[^"\n]*"/g, '').replace(TEMPLATE, '');
  return rest.includes('${') ? '' : rest.replace(PYTHON_LITERALS, 'Literal[').trim();
}

/** Whether it consists of names and the punctuation of types, signatures or paths. */
function isNames(text: string): boolean {
  if (PATH.test(text)) return true;
  const rest = text.replace(namePattern(), 'a');
  return /^[a\s.,:;<>()[\]{}|&?=*'/+⏎·→-]*$/.test(rest) && !/a\s+a|a-a/.test(rest);
}

/** The span of the group that matched, or of the whole match. @param from offset of the searched text */
function spanOf({ indices = [], index, 0: whole }: RegExpExecArray, from = 0): Span {
  const [start, end] = indices.slice(1).find(Boolean) ?? [index, index + whole.length];
  return { start: from + start, end: from + end };
}
