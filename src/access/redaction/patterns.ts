/** A pattern that keeps agents from reading. */
export interface BadPattern {
  pattern: string;
  /** Why it cannot be used; undefined if it only takes too long for some texts. */
  reason?: string;
}

export type BrokenPattern = Required<BadPattern>;

/** A repository brings patterns as well. Lengths are UTF-16 units. */
const MOST_PATTERNS = 100;
const LONGEST_PATTERN = 1_000;

/** @param sources regular expressions of JavaScript, or `/…/i` with flags; white space at their ends does not count */
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
 * `^` and `$` match at line ends. With `u` no character is cut in two, and mistakes are errors. Of the flags
 * only `i`, `s` and `v` count.
 */
function compile(source: string): RegExp | BrokenPattern {
  if (source.length > LONGEST_PATTERN)
    return { pattern: source, reason: `it has more than ${LONGEST_PATTERN} characters` };
  const trimmed = source.trim();
  const [, body = trimmed, flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(trimmed) ?? [];
  // A path has no flags. Text with more syntax in it was meant as an expression.
  if (body === trimmed && /^\/.*[\\[\](){}*+?|^$].*\/\w{1,8}$/s.test(trimmed))
    return { pattern: source, reason: 'what stands behind its last slash are no flags of JavaScript' };
  const counted = ['i', 's'].filter((flag) => flags.includes(flag)).join('');
  try {
    return new RegExp(body, `gm${counted}${flags.includes('v') ? 'v' : 'u'}`);
  } catch (error) {
    const { message } = error as Error;
    return { pattern: source, reason: message.slice(message.lastIndexOf(': ') + 2) };
  }
}
