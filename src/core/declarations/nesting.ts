/** Brackets of code, and what they are no part of: strings and comments. */
import { C_FAMILY } from '../kinds.ts';

/** Where brackets stand, in a text in which all of them pair. Offsets in UTF-16 units. */
export interface Nesting {
  /** The offsets of the brackets that are open at an offset, from the outside. */
  around(offset: number): readonly number[];
  /** The bracket that opens what one closes; undefined if there is none at this offset. */
  openerOf(closer: number): number | undefined;
}

const STRING = /"(?:\\[\s\S]|[^"\\\n])*"/;
const CHARACTERS = /'(?:\\[\s\S]|[^'\\\n])*'/;
/** A quote that begins no string: so one long string that is not closed is read once. */
const ESCAPED = /\\["']/;
const BRACKET = /[()[\]{}]/;
/** What opens the brackets that close, and templates of JavaScript. */
export const OPENERS: Record<string, string> = { ')': '(', ']': '[', '}': '{', '`': '`' };
const SLASHES = /\/\/.*|\/\*[\s\S]*?\*\//;
/** With continued lines. */
const DIRECTIVE = /^[ \t]*#(?:\\\n|\/\*[\s\S]*?\*\/|.)*/;
/** Branches after the first, of which the brackets may be those of the first once more. */
const BRANCH = /^[ \t]*#[ \t]*(?:else|elif)\b[\s\S]*?^[ \t]*#[ \t]*endif.*/;
const RAW = /R"(?<raw>[^\s()\\]{0,16})\([\s\S]*?\)\k<raw>"/;
const REST_OF_REGEX = /(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//.source;
/** `}/>` ends a tag. */
const BEFORE_REGEX = /\/(?<=(?:[=(,:;!&|?{}[\n>]|\breturn|^)\s*\/)(?![/*]|(?<=\}\/)>)/.source;
const REGEX = new RegExp(BEFORE_REGEX + REST_OF_REGEX);
/** One behind a condition; a division has neither a class nor an escape. */
const LATE_REGEX = new RegExp(/\/(?<=\)\s*\/)(?=[^/\n]*[\\[])/.source + REST_OF_REGEX);

const C = [SLASHES, DIRECTIVE, RAW, /(?<=[\da-fA-F])'(?=[\da-fA-F])/, STRING, CHARACTERS];
const CSHARP = [
  ...[SLASHES, DIRECTIVE, /@\$?"(?:""|[^"])*"/, /(?<quotes>"{3,})[\s\S]*?\k<quotes>/],
  ...[STRING, CHARACTERS],
];
const SCRIPT = [SLASHES, STRING, CHARACTERS, REGEX, /`/];
const JVM = [SLASHES, /"""[\s\S]*?"""/, STRING, CHARACTERS];
const SWIFT = [/(?<hash>#{1,9})"[\s\S]*?"\k<hash>/, ...JVM];
const PYTHON = [/#.*/, /"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''/, STRING, CHARACTERS];
const HEREDOC = /<<<[ \t]*(?<quote>["']?)(?<word>\w+)\k<quote>\n[\s\S]*?^[ \t]*\k<word>\b/;
/** At the start of a file; code that is only a part of one begins without. */
const MARKUP = /(?<![\s\S])(?:(?!<\?)[\s\S])*<\?(?:php\b|=)/;
const PHP = [
  MARKUP,
  /\?>(?:(?!<\?)[\s\S])*(?:<\?(?:php\b|=)|(?![\s\S]))/,
  /(?:\/\/|#(?!\[))(?:(?!\?>).)*|\/\*[\s\S]*?\*\//,
  HEREDOC,
  /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`[^`]*`/,
];

/** Shells have only strings and comments here: their brackets do not have to pair. */
const SHELL = [
  /(?<![^\s;&|()])#.*|\\[\s\S]/,
  /(?<!<)<<-?[ \t]*(?<quote>["'\\]?)(?<word>[A-Za-z_]\w*).*\n[\s\S]*?^\t*\k<word>$/,
  /"(?:\\[\s\S]|[^"\\])*"|'[^']*'/,
];

/** What is no code, by the language's id in VS Code. Of other languages nothing is known. */
const TOKENS: Record<string, readonly RegExp[]> = {
  ...Object.fromEntries(C_FAMILY.map((id) => [id, C])),
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  java: JVM,
  kotlin: JVM,
  scala: JVM,
  dart: JVM,
  swift: SWIFT,
  csharp: CSHARP,
  python: PYTHON,
  php: PHP,
  json: [STRING],
  jsonc: [SLASHES, STRING],
  css: [/\/\*[\s\S]*?\*\//, STRING, CHARACTERS],
  less: [SLASHES, STRING],
  scss: [SLASHES, STRING],
  go: [SLASHES, STRING, CHARACTERS, /`[^`]*`/],
  rust: [SLASHES, /r(?<hash>#*)"[\s\S]*?"\k<hash>/, /"(?:\\[\s\S]|[^"\\])*"/, /'(?:\\[^\n']+|\\'|[^'\\\n])'/],
};

/** A second reading, for texts in which brackets do not pair by the first. */
const SECOND = new Map<readonly RegExp[] | undefined, readonly RegExp[]>([
  [C, [SLASHES, BRANCH, ...C]],
  [CSHARP, [SLASHES, BRANCH, ...CSHARP]],
  [SCRIPT, [/(?<!:)\/\/.*/, /\/\*[\s\S]*?\*\//, LATE_REGEX, ...SCRIPT.slice(1)]], // `http://x.y` in a tag
]);

/** Languages whose blocks are in braces. */
export const hasBraces = (language: string): boolean => language in TOKENS && language !== 'python';

/** @returns undefined if brackets do not pair, or the language is not known: nothing is said of such a text */
export function nestingOf(text: string, language: string): Nesting | undefined {
  const tokens = TOKENS[language];
  return nestingBy(text, tokens) ?? nestingBy(text, SECOND.get(tokens));
}

function nestingBy(text: string, tokens: readonly RegExp[] | undefined): Nesting | undefined {
  if (!tokens) return undefined;
  /** For each opening bracket, the one around it; for each closing bracket, the one that it closes. */
  const outer = new Map<number, number | undefined>();
  const openers = new Map<number, number>();
  const changes: { at: number; open: number | undefined }[] = [{ at: 0, open: undefined }];
  let open: number | undefined;
  for (const { end, opens, closes } of lexemesIn(text, tokens)) {
    const at = end - 1;
    if (opens) {
      outer.set(at, open);
      open = at;
    } else if (closes) {
      if (open === undefined || text[open] !== closes) return undefined;
      openers.set(at, open);
      open = outer.get(open);
    } else continue;
    changes.push({ at: end, open });
  }
  if (open !== undefined) return undefined;
  return {
    around: (offset) => chain(changes[lastAt(changes, offset)]?.open, outer),
    openerOf: (closer) => openers.get(closer),
  };
}

/** The strings over several lines, templates and heredocs of code; none of a language that is not known. */
export function longStringsIn(text: string, language: string): { from: number; to: number }[] {
  const tokens =
    language === 'shellscript' ? SHELL : (TOKENS[language] ?? []).filter((one) => one !== MARKUP);
  const templates: number[] = [];
  const found: { from: number; to: number }[] = [];
  for (const { text: one, end, opens } of lexemesIn(text, tokens)) {
    if (one === '`' && opens) templates.push(end - 1);
    else if (one === '`' || QUOTE.test(one))
      found.push({ from: one === '`' ? (templates.pop() ?? end) : end - one.length, to: end });
  }
  return found.filter(({ from, to }) => text.slice(from, to).includes('\n'));
}

/** How strings begin, but no comment. */
const QUOTE = /^([rR@$#]*["'`]|<<)/;

interface Lexeme {
  text: string;
  /** Offset behind it. */
  end: number;
  opens: boolean;
  /** What opens what it closes. */
  closes: string | undefined;
}

/** Brackets, strings and comments. A template of JavaScript counts as a bracket, for the code in it. */
function* lexemesIn(text: string, tokens: readonly RegExp[]): Generator<Lexeme> {
  const code = new RegExp([...tokens, ESCAPED, BRACKET].map(({ source }) => source).join('|'), 'gm');
  const open: string[] = [];
  for (let end = 0; ; ) {
    const isTemplate = open.at(-1) === '`';
    const pattern = isTemplate ? TEMPLATE : code;
    pattern.lastIndex = end;
    const [one] = pattern.exec(text) ?? [];
    if (one === undefined) return;
    end = Math.max(pattern.lastIndex, end + 1);
    const opens = /^([([{]|\$\{)$/.test(one) || (one === '`' && !isTemplate);
    const closes = OPENERS[one];
    if (opens) open.push(one);
    else if (closes) open.pop();
    yield { text: one, end, opens, closes };
  }
}

const TEMPLATE = /\\[\s\S]|`|\$\{/g;

function chain(open: number | undefined, outer: ReadonlyMap<number, number | undefined>): number[] {
  const all: number[] = [];
  for (let one = open; one !== undefined; one = outer.get(one)) all.unshift(one);
  return all;
}

/** The last of sorted places that is not behind an offset. */
function lastAt(all: readonly { at: number }[], offset: number): number {
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((all[middle]?.at ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
