/** Finds literals that messages of language servers quote in another way than in double quotes. Pure. */
import type { Span } from './redaction.ts';

/** Each with a group of what is quoted. An apostrophe within a word opens and closes nothing. */
const QUOTED = [
  /(?<![\p{L}\p{N}&<])'((?:\\.|[^'\\\n])*)'(?![\p{L}\p{N}])/dgu,
  /`((?:\\.|[^`\\\n])*)`/dgu,
  /[‘‚‛]([^‘’‚\n]*)[’‘]/dgu,
  /[“„‟＂]([^“”„＂\n]*)[”“＂]/dgu,
  /[«»]([^«»\n]*)[«»]/dgu,
  /[‹›]([^‹›\n]*)[‹›]/dgu,
  /[「『]([^「」『』\n]*)[」』]/dgu,
];

/** A literal type as checkers of Python print it, and the strings in it; messages may be cut within one. */
const PYTHON_LITERAL = /Literal\[(?:'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|[^\]'"\n])*/g;
const STRING = /'((?:\\.|[^'\\])*)'?|"((?:\\.|[^"\\])*)"?/dg;

/** A template literal type of TypeScript. */
const TEMPLATE = /`[^`]*\$\{[^`]*`/g;

/** A name that is quoted in the source, and a literal between quotes that are double ones themselves, as in German. */
const TWICE = /(?<='')[^'\s][^'\n]*(?='')|(?<="")[^"\s][^"\n]*(?="")/g;

/** Before it, a message says that no name follows. */
const SAYS_LITERAL = /\b(?:literal|string|constant|value)[\s:]*$/i;

/** What reads as a name, with keywords in front: its digits end a word, or stand before a capital letter. */
const NAME =
  /(?:'\w+\s+)?(?:\b(?:abstract|async|class|const|dyn|enum|extern|fn|function|impl|import|interface|keyof|long|module|mut|namespace|new|readonly|short|signed|static|struct|type|typeof|union|unique|unsigned)\s+)*[\p{L}_$](?:[\p{L}\p{M}_$]|\p{N}+(?![\p{Ll}\p{N}]))*|(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu;
const PATH = /^(?:\.{1,2}|~|@[\w-]+|[a-z]:)?[\\/][\w@.\\/-]*$/i;

/** Longest message that is looked through, in UTF-16 units: to find what closes a quote takes time, and code shapes messages. */
const LONGEST = 5_000;

/**
 * Where a message quotes a literal that is not known. Names and types are quoted in the same way: they count as known. The rest of a
 * very long message counts as a literal.
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
      return (
        !isKnown(text) && (SAYS_LITERAL.test(message.slice(0, span.start - 1).slice(-20)) || !isNames(text))
      );
    }),
  ];
}

/** Without what is looked at on its own: double quotes, templates, literal types. */
function withoutNested(text: string): string {
  const rest = text.replace(/"[^"\n]*"/g, '').replace(TEMPLATE, '');
  return rest.includes('${') ? '' : rest.replace(PYTHON_LITERAL, 'Literal[').trim();
}

/** Whether it is made of names and what stands between them in a type, a signature or a path. */
function isNames(text: string): boolean {
  if (PATH.test(text)) return true;
  const rest = text.replace(NAME, 'a');
  return /^[a\s.,:;<>()[\]{}|&?=*'/+⏎·→-]*$/.test(rest) && !/a\s+a|a-a/.test(rest);
}

/** Of the group that matched, or the whole. @param from where the text that was searched begins */
function spanOf({ indices = [], index, 0: whole }: RegExpExecArray, from = 0): Span {
  const [start, end] = indices.slice(1).find(Boolean) ?? [index, index + whole.length];
  return { start: from + start, end: from + end };
}
