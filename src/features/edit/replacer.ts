import { REDACTED } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { bounded } from '../../util/runBounded.ts';
import { isMultiline } from '../../workspace/search/ripgrepArguments.ts';
import type { SearchLine } from '../../workspace/search/ripgrepEvents.ts';
import { type Replaced, replaceMatches } from './replaceMatches.ts';

/** Milliseconds for the regular expression in all files: it blocks the extension host. */
const TIME = 2_000;
const LEAST_TIME = 20;

/** Replaces in one file after the other, for a limited time in all. */
export function replacer(
  query: { query: string; isRegex: boolean },
  regex: RegExp,
  replacement: string,
  isRedacting: boolean,
): (text: string) => Replaced {
  const replacing = {
    regex,
    replacement: query.isRegex ? replacement : () => replacement,
    isMultiline: isMultiline(query),
    ...(isRedacting && { mark: REDACTED }),
  };
  let left = TIME;
  return (text) => {
    const start = performance.now();
    try {
      return bounded(() => replaceMatches(text, replacing), Math.max(LEAST_TIME, Math.ceil(left)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new UserError(
        'Nothing was changed: the regular expression takes too long in JavaScript. Use a simpler one, or narrow include.',
      );
    } finally {
      left -= performance.now() - start;
    }
  };
}

/** The two regular expression engines differ, and nothing is replaced that search_text does not show. @throws UserError */
export function requireSameLines(
  path: string,
  found: readonly SearchLine[],
  replaced: ReadonlySet<number>,
  count: number,
): void {
  const lines = new Set(found.map(({ line }) => line));
  const isUnknown = lines.has(undefined) || (replaced.size === 0 && count > 0);
  const all = [...lines, ...replaced];
  const differing = isUnknown ? [] : all.filter((line) => !(lines.has(line) && replaced.has(line ?? 0)));
  if (count > 0 && differing.length === 0) return;
  const where = differing[0] === undefined ? visible(path) : `${visible(path)}:${differing[0]}`;
  throw new UserError(
    `Nothing was changed: at ${where} the regular expression matches in only one of ripgrep, which finds the files, and JavaScript, which replaces. Write it so that both match (in JavaScript \\w, \\d and \\b know only ASCII), or try again if the file has just changed.`,
  );
}
