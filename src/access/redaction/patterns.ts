/** A pattern that stops agents from reading. */
export interface BadPattern {
  pattern: string;
  /** Why it cannot be used; undefined if it only takes too long for some texts. */
  reason?: string;
}

export type BrokenPattern = Required<BadPattern>;

/** Limits, because a repository can add patterns too. Lengths are UTF-16 units. */
const MOST_PATTERNS = 100;
const LONGEST_PATTERN = 1_000;

/** @param sources JavaScript regular expressions, or `/…/i` with flags; leading and trailing white space is ignored */
export function compilePatterns(sources: readonly string[]): {
  /** By their sources. */
  patterns: ReadonlyMap<string, RegExp>;
  broken: BrokenPattern | undefined;
} {
  const all = [...new Set(sources)];
  const tooMany = all[MOST_PATTERNS];
  const compiled = all.slice(0, MOST_PATTERNS).map((source) => [source, compile(source)] as const);
  return {
    patterns: new Map(compiled.filter((one): one is [string, RegExp] => one[1] instanceof RegExp)),
    broken:
      tooMany === undefined
        ? compiled.map(([, one]) => one).find((one): one is BrokenPattern => !(one instanceof RegExp))
        : { pattern: tooMany, reason: `there are more than ${MOST_PATTERNS} patterns` },
  };
}

/**
 * `^` and `$` match at line ends. Flag `u` keeps surrogate pairs whole and makes mistakes errors. Of the given flags, only `i`, `s`
 * and `v` have an effect.
 */
function compile(source: string): RegExp | BrokenPattern {
  if (source.length > LONGEST_PATTERN)
    return { pattern: source, reason: `it has more than ${LONGEST_PATTERN} characters` };
  const trimmed = source.trim();
  const [, body = trimmed, flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(trimmed) ?? [];
  // A path is a valid pattern without flags. Text with more syntax was meant as `/…/flags`.
  if (body === trimmed && /^\/.*[\\[\](){}*+?|^$].*\/\w{1,8}$/s.test(trimmed))
    return { pattern: source, reason: 'the text after its last slash is not valid JavaScript flags' };
  const counted = ['i', 's'].filter((flag) => flags.includes(flag)).join('');
  try {
    return new RegExp(body, `gm${counted}${flags.includes('v') ? 'v' : 'u'}`);
  } catch (error) {
    const { message } = error as Error;
    return { pattern: source, reason: message.slice(message.lastIndexOf(': ') + 2) };
  }
}
