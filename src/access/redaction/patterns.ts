import { clock } from '../../util/clock.ts';
import { bounded } from '../../util/runBounded.ts';

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

/** How long the patterns may take for one text, in milliseconds: they block the extension host. */
export const TIME = 1_000;
/** Extra time for all slow texts together, in milliseconds, and how much of it is restored per second. */
const TIME_FOR_ALL = 2_000;
const COMES_BACK = 50;

export class PatternsTooSlow extends Error {
  /** Milliseconds after which they were stopped; less than {@link TIME} if other texts were slow before. */
  readonly limit: number;

  constructor(limit: number) {
    super('The patterns took too long.');
    this.limit = limit;
  }
}

/** Limits how long patterns block the extension host, for one text and for many slow ones. One instance per window. */
export class PatternTime {
  #left = TIME_FOR_ALL;
  #at = 0;

  /** @param length of the text, in UTF-16 units. @throws PatternsTooSlow */
  run<T>(length: number, find: () => T): T {
    const start = clock.now();
    const usual = 30 + length / 5_000;
    this.#left = Math.min(TIME_FOR_ALL, this.#left + ((start - this.#at) / 1_000) * COMES_BACK);
    const limit = Math.round(Math.min(TIME, usual + this.#left));
    try {
      return bounded(find, limit);
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      throw isLate ? new PatternsTooSlow(limit) : error;
    } finally {
      this.#at = clock.now();
      this.#left = Math.max(0, this.#left - Math.max(0, this.#at - start - usual));
    }
  }
}
