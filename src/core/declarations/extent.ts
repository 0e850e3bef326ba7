import { withoutComment } from './indentation.ts';
import { leadAbove, topOfLead } from './lead.ts';
import { OPENERS } from './nesting.ts';
import type { Declared, Extent, Source } from './source.ts';

/** Text before a symbol that belongs to it: TypeScript's outline has only `f = …` of `export const f = …`. */
export const WORDS =
  /^\s*(?!(?:if|elif|else|while|until|for|do|then|return|yield|case|when|throw|raise|assert)\b)(?:[\p{L}\p{N}_$.]+\s+)*(?:[\p{L}\p{N}_$.]+\s*=\s*)?$/u;
/** Text after a symbol that belongs to its line. */
const TAIL = /^\s*(?:;\s*)?(?:,\s*)?((\/\/|#|--).*|\/\*.*\*\/\s*)?$/;
/** A tail with a comment that goes on below. */
const LONG_TAIL = /^\s*(?:;[^\S\n]*)?(?:,[^\S\n]*)?\/\*(?:(?!\*\/)[\s\S])*\*\/[^\S\n]*(?=\n|$)/;
const LONGEST_TAIL = 10_000;
/** Some servers give only the name of a Python variable. */
const VALUE = /^\s*(:[^=;{}]+)?=(?![=>])/;
/** What Python may have behind the name of a variable, other than a value. */
const ANNOTATION = /^\s*:\s*[^\s#=]/;
/** How declarations in Python begin that have a body. */
const BLOCK = /^\s*(async\s+def|def|class)\b/;

/** The text that belongs to a symbol, without white space around its range; its neighbours likewise. */
export function extentOf(
  source: Source,
  self: Declared,
  previous: Declared | undefined,
  next: Declared | undefined,
  parent: Declared | undefined,
  language: string,
): Extent {
  const [before] = lineAround(source, self);
  const isLineOwn =
    WORDS.test(before) && !isChained(before, language) && !goesOn(source, source.lineAt(self.from), language);
  const to = isLineOwn ? endOf(source, self, parent, language) : self.to;
  const tail = source.text.slice(to, source.endOf(source.lineAt(to)));
  const comma = commaAfter(source, to);
  const semicolon = /^\s*;/.exec(tail)?.[0].length ?? 0;
  const loose = previous && commaAfter(source, previous.to);
  const isFollowing = loose !== undefined && BETWEEN.test(source.text.slice(loose + 1, self.from));
  const isPart = (isLineOwn && before.trim() !== '' && comma !== undefined) || (isFollowing && semicolon > 0);
  const longTail = TAIL.test(tail)
    ? ''
    : (LONG_TAIL.exec(source.text.slice(to, to + LONGEST_TAIL))?.[0] ?? '');
  const isAlone = isLineOwn && (TAIL.test(tail) || longTail !== '') && !isPart;
  const { lead, first } = headOf(source, self, previous, parent, language);
  return {
    lead,
    first,
    last: source.lineAt(to + longTail.length),
    from: isAlone ? source.startOf(first) + source.line(first).search(/\S|$/) : self.from,
    to: isAlone ? to + semicolon : to,
    comma,
    isAlone,
    isPart,
    isShared: (previous?.to ?? 0) > self.from || (next !== undefined && next.from < to),
  };
}

/** Whether a statement in Python has another target, as in `a = b = 1`: nothing else there is before a symbol. */
const isChained = (before: string, language: string): boolean =>
  language === 'python' && before.includes('=');

const isParameter = (parent: Declared | undefined): boolean =>
  /^(function|method|constructor)$/.test(parent?.kind ?? '');

/** The end of a symbol with its value; in Python, with its annotation, or the comment behind the last line of its body. */
function endOf(source: Source, self: Declared, parent: Declared | undefined, language: string): number {
  const [before, after] = lineAround(source, self);
  const isPython = language === 'python';
  const isField = isPython && before.trim() === '' && !isParameter(parent) && ANNOTATION.test(after);
  if (isField || VALUE.test(after)) return endOfStatement(source.text, self.to, language);
  const head = source.lineAt(self.name);
  const hasBody = isPython && head < source.lineAt(self.to) && BLOCK.test(source.line(head));
  return self.to + ((hasBody && /^;?[ \t]*#.*/.exec(after)?.[0].length) || 0);
}

const OF_CODE =
  /^(c|cpp|cuda-cpp|objective-c|objective-cpp|go|java|kotlin|php|python|rust|csharp|(java|type)script(react)?)$/;
const GOES_ON = /(\|\||&&|\||\\|=>?|\?|(?<!\+)\+|\b(return|await|new|throw))$/;
const GOES_ON_IN_SHELL = /(\|\||&&|\||\\)$/;

/** Whether a line goes on with what is above it, as after `x ||`. */
function goesOn(source: Source, line: number, language: string): boolean {
  const above = source.line(source.nextContent(line, -1)).trim();
  if (/^(\/\/|#|\*|\/\*)/.test(above)) return false;
  const pattern = language === 'shellscript' ? GOES_ON_IN_SHELL : OF_CODE.test(language) && GOES_ON;
  return pattern !== false && pattern.test(withoutComment(above));
}

/** Without white space around: sections of Markdown end with blank lines. */
export function trimmed({ text }: Source, { from, to, ...rest }: Declared): Declared {
  const own = text.slice(from, to);
  return { ...rest, from: from + own.length - own.trimStart().length, to: from + own.trimEnd().length };
}

/** White space and comments. */
export const BETWEEN = /^(\s|(\/\/|#|--).*(?![^\n])|\/\*(?:(?!\*\/)[\s\S])*\*\/)*$/;

/** The text on its lines before and after it. */
export function lineAround(source: Source, { from, to }: Declared): [before: string, after: string] {
  const start = source.startOf(source.lineAt(from));
  return [source.text.slice(start, from), source.text.slice(to, source.endOf(source.lineAt(to)))];
}

/** Its first lines: a server's range may include comments and decorators, or begin below them. */
function headOf(
  source: Source,
  self: Declared,
  previous: Declared | undefined,
  parent: Declared | undefined,
  language: string,
): Pick<Extent, 'lead' | 'first'> {
  const { lines } = source;
  const start = source.lineAt(self.from);
  let lead = Math.max(start, source.lineAt(self.name));
  let first = lead;
  while (lead > start) {
    const above = leadAbove(lines, lead, start, language);
    lead = above ?? lead - 1;
    if (above === undefined && !source.isBlank(lead)) first = lead;
  }
  const floor = Math.max(
    previous ? source.lineAt(previous.to) + 1 : 0,
    parent ? source.lineAt(parent.name) + 1 : 0,
  );
  return { lead: topOfLead(lines, lead, floor, language), first };
}

function commaAfter({ text }: Source, to: number): number | undefined {
  const [found] = /^\s*,/.exec(text.slice(to, to + 1_000)) ?? [];
  return found === undefined ? undefined : to + found.length - 1;
}

/** Languages whose statements go on until a semicolon. */
const ENDS_WITH_SEMICOLON = /^(php|c|cpp|cuda-cpp|objective-c|objective-cpp|java|rust|csharp|dart)$/;

/** The end of the line on which no bracket or string is open any more, or the semicolon; the start if brackets do not pair. */
function endOfStatement(text: string, from: number, language: string): number {
  const isEnd = ENDS_WITH_SEMICOLON.test(language) ? /^;/ : /^[#\n]/;
  const open: string[] = [];
  TOKEN.lastIndex = from;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const [one] = found;
    const isOver = open.length === 0 && (isEnd.test(one) || one in OPENERS);
    if (isOver) return from + text.slice(from, found.index).trimEnd().length;
    if (/^[([{]/.test(one)) open.push(one);
    else if (one in OPENERS && open.pop() !== OPENERS[one]) return from;
  }
  return open.length > 0 ? from : text.trimEnd().length;
}

const TOKEN =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*|[([{]|[)\]}]|\\\n|\n|;/g;
