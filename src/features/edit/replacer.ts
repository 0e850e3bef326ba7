import { PatternsTooSlow, TIME } from '../../access/redaction/patternTime.ts';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { isMultiline } from '../../workspace/search/ripgrepArguments.ts';
import type { SearchLine } from '../../workspace/search/ripgrepEvents.ts';
import type { Context } from '../context.ts';
import { type Replaced, replaceMatches } from './replaceMatches.ts';

/**
 * Replaces in one file after the other.
 *
 * @param time that slow regular expressions of all agents share
 */
export function replacer(
  query: { query: string; isRegex: boolean },
  regex: RegExp,
  replacement: string,
  { files: { redactor }, regexTime: time }: Pick<Context, 'files' | 'regexTime'>,
): (text: string) => Replaced {
  const replacing = {
    regex,
    replacement: query.isRegex ? replacement : () => replacement,
    isMultiline: isMultiline(query),
    ...(redactor.isOn && { mark: REDACTED }),
  };
  return (text) => {
    try {
      return time.run(text.length, () => replaceMatches(text, replacing));
    } catch (error) {
      throw error instanceof PatternsTooSlow ? tooSlow(error) : error;
    }
  };
}

function tooSlow({ limit }: PatternsTooSlow): UserError {
  const others =
    limit < TIME ? ', because others were slow just before. Try again in a minute, or use' : '. Use';
  return new UserError(
    `Nothing was changed: the regular expression takes too long in JavaScript (over ${limit} ms)${others} a simpler one, or narrow include.`,
  );
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
