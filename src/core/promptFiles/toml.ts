import { unescaped } from './frontMatter.ts';
import { PromptSyntaxError } from './syntaxError.ts';

const KEY = /(["']?)([\w.-]+)\1[ \t]*=[ \t]*/y;
const SPACE = /(?:\s|#[^\n]*)+/y;
/** The four kinds of TOML texts, the long ones first. */
const TEXTS: readonly [RegExp, (inside: string) => string][] = [
  [/"""((?:[^"\\]|\\[\s\S]|"(?!""))*"{0,2})"""/y, (inside) => escaped(inside.replace(/^\r?\n/, ''))],
  [/'''((?:[^']|'(?!''))*'{0,2})'''/y, (inside) => inside.replace(/^\r?\n/, '')],
  [/"((?:[^"\\\n]|\\[^\n])*)"(?!")/y, (inside) => escaped(inside)],
  [/'([^'\n]*)'(?!')/y, (inside) => inside],
];
/** Any other value, to the end of its line. */
const OTHER = /[^"'\n][^\n]*/y;

/** A backslash at the end of a line joins it with the next text. */
const escaped = (text: string): string => unescaped(text.replace(/\\[ \t]*\r?\n\s*/g, ''));

/**
 * The texts at the top of a TOML file, by key; it stops at the first table. Other values are as written.
 *
 * @throws PromptSyntaxError
 */
export function readToml(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const take = (expected: RegExp): RegExpExecArray | null => {
    expected.lastIndex = at;
    const match = expected.exec(text);
    at += match?.[0].length ?? 0;
    return match;
  };
  const value = (): string => {
    for (const [expected, meaning] of TEXTS) {
      const match = take(expected);
      if (match) return meaning(match[1] ?? '');
    }
    const other = take(OTHER);
    if (!other) throw new PromptSyntaxError('tomlValue', at);
    return other[0].trim();
  };
  for (take(SPACE); at < text.length && text[at] !== '['; take(SPACE)) {
    const start = at;
    const key = take(KEY)?.[2];
    if (key === undefined) throw new PromptSyntaxError('tomlLine', at);
    if (fields.has(key)) throw new PromptSyntaxError('fieldTwice', start);
    fields.set(key, value());
  }
  return fields;
}
