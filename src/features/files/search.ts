import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';
import { globMatchers, LONGEST_GLOB, MOST_GLOBS } from '../../util/glob.ts';
import type { Files } from '../../workspace/files.ts';
import { isMultiline } from '../../workspace/search/ripgrepArguments.ts';
import type { SearchLine } from '../../workspace/search/ripgrepEvents.ts';
import { inFolder } from '../../workspace/search/searchGlobs.ts';
import type { SearchQuery } from '../../workspace/search/searchQuery.ts';
import type { Call } from '../call.ts';

const NUL = '\0';
/** A program argument cannot contain NUL. */
const withoutNul = (text: string) => !text.includes(NUL);
const NO_NUL = 'cannot contain a NUL character';

const globs = z.array(z.string().max(LONGEST_GLOB).refine(withoutNul, NO_NUL)).max(MOST_GLOBS).default([]);

/** What to search, and in which files. */
export const searchArguments = {
  query: z
    .string()
    .min(1)
    .refine(withoutNul, NO_NUL)
    .describe('Text; with isRegex a ripgrep regular expression'),
  isRegex: z.boolean().default(false),
  caseSensitive: z.boolean().default(false),
  wholeWord: z.boolean().default(false),
  include: globs.describe('Globs or folders to search'),
  exclude: globs.describe('Globs or folders to skip'),
};

const SEVERAL_LINES =
  'Files with redacted text were not searched, because the query may match several lines.';
const SLOW = 'Some files were not searched: redacting took too long. Narrow include.';

/** About the size of the largest answer, in bytes: an agent may start a thousand searches at once. */
const LARGEST = 1024 * 1024;

/**
 * Searches the files.
 *
 * @returns the lines, and notes on files that were left out
 * @throws UserError if the query is not a valid expression, CancelledError
 */
export async function search(
  query: Omit<SearchQuery, 'onSlow'>,
  files: Files,
  { signal, makeRoom }: Pick<Call, 'signal' | 'makeRoom'>,
): Promise<{ lines: SearchLine[]; leftOut: string[] }> {
  await makeRoom?.(LARGEST);
  let isSlow = false;
  const onSlow = () => {
    isSlow = true;
  };
  const lines = await files.search({ ...query, onSlow }, signal);
  // Always noted: otherwise the note would reveal hits in redacted text.
  const several = files.redactor.isOn && isMultiline(query) ? SEVERAL_LINES : '';
  return { lines, leftOut: [several, isSlow ? SLOW : ''] };
}

/** A note if no file matches the globs; else empty. */
export async function noteOnGlobs(
  include: readonly string[],
  files: Files,
  signal: AbortSignal,
): Promise<string> {
  if (include.length === 0) return '';
  const globs = files.folders().flatMap((folder) => include.flatMap((glob) => inFolder(glob, folder)));
  const matchers = globMatchers(globs);
  const all = await files.list(signal);
  for (const { inside } of all) if (matchers.some((matches) => matches(inside))) return '';
  return `No file matches include: ${include.map(visible).join(', ')}.`;
}
