import * as z from 'zod';
import { LONGEST_GLOB, MOST_GLOBS } from '../../util/glob.ts';
import type { Files } from '../../workspace/files.ts';
import { isMultiline } from '../../workspace/search/ripgrepArguments.ts';
import type { SearchLine } from '../../workspace/search/ripgrepEvents.ts';
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
/** About the size of the largest answer, in bytes: an agent may start a thousand searches at once. */
const LARGEST = 1024 * 1024;

/**
 * Searches the files.
 *
 * @returns the lines, and notes on what the search does not cover
 * @throws UserError if the query is not a valid expression, CancelledError
 */
export async function search(
  query: Omit<SearchQuery, 'onNote'>,
  files: Files,
  { signal, makeRoom }: Pick<Call, 'signal' | 'makeRoom'>,
): Promise<{ lines: SearchLine[]; notes: string[] }> {
  await makeRoom?.(LARGEST);
  const notes = new Set<string>();
  // Always noted: otherwise the note would reveal hits in redacted text.
  if (files.redactor.isOn && isMultiline(query)) notes.add(SEVERAL_LINES);
  const lines = await files.search({ ...query, onNote: (note) => notes.add(note) }, signal);
  return { lines, notes: [...notes] };
}
