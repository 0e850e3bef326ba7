/** Finds literals that messages of language servers quote in other ways than double quotes. Pure. */

import { lazyPattern } from '../../core/text/escapeInvisible.ts';
import type { Span } from '../../core/text/jsonStrings.ts';

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
const PYTHON_LITERAL = /Literal\[(?:'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|[^\]'"\n])*/g;
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
export function quotedLiterals(message: string, isKnown: (literal: string) => boolean): Span[] {
  if (message.length > LONGEST)
    return [...quotedLiterals(message.slice(0, LONGEST), isKnown), { start: LONGEST, end: message.length }];
  const templates = [...message.matchAll(TEMPLATE)].filter(({ 0: template }) =>
    template
      .slice(1, -1)
      .split(/\$\{[^}]*\}/)
      .some((part) => !isKnown(part)),
  );
  const python = [...message.matchAll(PYTHON_LITERAL)].flatMap(({ 0: literal, index }) =>
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
  return rest.includes('${') ? '' : rest.replace(PYTHON_LITERAL, 'Literal[').trim();
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
