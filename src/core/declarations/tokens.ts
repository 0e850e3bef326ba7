/** Strings, comments and what else is no code, by the language's id in VS Code. */
import { C_FAMILY } from '../kinds.ts';

const STRING = /"(?:\\[\s\S]|[^"\\\n])*"/;
const CHARACTERS = /'(?:\\[\s\S]|[^'\\\n])*'/;
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
export const MARKUP = /(?<![\s\S])(?:(?!<\?)[\s\S])*<\?(?:php\b|=)/;
const PHP = [
  MARKUP,
  /\?>(?:(?!<\?)[\s\S])*(?:<\?(?:php\b|=)|(?![\s\S]))/,
  /(?:\/\/|#(?!\[))(?:(?!\?>).)*|\/\*[\s\S]*?\*\//,
  HEREDOC,
  /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`[^`]*`/,
];

const SHELL = [
  /(?<![^\s;&|()])#.*|\\[\s\S]/,
  /(?<!<)<<-?[ \t]*(?<quote>["'\\]?)(?<word>[A-Za-z_]\w*).*\n[\s\S]*?^\t*\k<word>$/,
  /"(?:\\[\s\S]|[^"\\])*"|'[^']*'/,
];
/** `<<~` is not among them: its lines are read without their indentation, so they may move. */
const RUBY = [
  ...[/(?<!\S)#.*/, STRING, CHARACTERS],
  /<<-?(?<quote>["'`]?)(?<word>[A-Z_]\w*)\k<quote>.*\n[\s\S]*?^[ \t]*\k<word>$/,
];
const LUA = [/(--)?\[(?<level>=*)\[[\s\S]*?\]\k<level>\]|--.*/, STRING, CHARACTERS];
const DART = [/'''[\s\S]*?'''/, ...JVM];

/** Strings and comments of languages whose brackets are not read: they need not pair, as in shells and markup. */
export const STRINGS: Record<string, readonly RegExp[]> = {
  shellscript: SHELL,
  ruby: RUBY,
  perl: RUBY,
  lua: LUA,
  groovy: DART,
  vue: SCRIPT,
  svelte: SCRIPT,
  astro: SCRIPT,
};

/** What is no code, by the language's id in VS Code. Of other languages nothing is known. */
export const TOKENS: Record<string, readonly RegExp[]> = {
  ...Object.fromEntries(C_FAMILY.map((id) => [id, C])),
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  java: JVM,
  kotlin: JVM,
  scala: JVM,
  dart: DART,
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
export const SECOND = new Map<readonly RegExp[] | undefined, readonly RegExp[]>([
  [C, [SLASHES, BRANCH, ...C]],
  [CSHARP, [SLASHES, BRANCH, ...CSHARP]],
  [SCRIPT, [/(?<!:)\/\/.*/, /\/\*[\s\S]*?\*\//, LATE_REGEX, ...SCRIPT.slice(1)]], // `http://x.y` in a tag
]);
