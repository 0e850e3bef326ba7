import * as z from 'zod';
import { cutMiddle, fitting } from '../../core/text/cut.ts';
import { visible, visibleText } from '../../core/text/visible.ts';
import { LONGEST_GLOB, MOST_GLOBS } from '../../util/glob.ts';
import type { Files } from '../../workspace/files.ts';
import {
  isMultiline,
  MOST_HITS,
  type SearchLine,
  type SearchQuery,
} from '../../workspace/search/ripgrepSearch.ts';
import * as args from '../arguments.ts';
import type { Call } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';

const NUL = '\0';
/** A program argument cannot contain NUL. */
export const withoutNul = (text: string) => !text.includes(NUL);
export const NO_NUL = 'cannot contain a NUL character';

const globs = z.array(z.string().max(LONGEST_GLOB).refine(withoutNul, NO_NUL)).max(MOST_GLOBS).default([]);

export const searchArguments = {
  query: z
    .string()
    .min(1)
    .max(10_000) // it may be a block of code
    .refine(withoutNul, NO_NUL)
    .describe('Text; with isRegex a ripgrep regex'),
  isRegex: z.boolean().default(false),
  caseSensitive: z.boolean().optional().describe('Default: smart case'),
  wholeWord: z.boolean().default(false),
  include: globs.describe('Globs or folders to search'),
  exclude: globs.describe('Globs or folders to skip'),
};

export const searchText = defineReadTool({
  name: 'search_text',
  title: 'Search text in VS Code',
  description:
    'Searches all workspace files as the user has them in VS Code, unsaved text included. Use it instead of grep. Returns "line: text" by file; skips ignored files.',
  group: 'files',
  input: z.strictObject({
    ...searchArguments,
    contextLines: z.int().min(0).max(20).default(0).describe('Lines around each hit'),
    limit: z.int().min(1).max(MOST_HITS).default(200),
    maxCharacters: args.maxCharacters,
  }),
  async run({ limit, maxCharacters, ...asked }, { files }, call) {
    const { lines, notes } = await search(asked, files, call);
    const hits = lines.filter(({ hit }) => hit).length;
    const isSmart = asked.caseSensitive === undefined && /\p{Lu}/u.test(asked.query.replace(/\\./g, ''));
    const withCase = isSmart ? ' with these capitals. caseSensitive false ignores case.' : '.';
    if (hits === 0)
      return text(`No hit for "${cutMiddle(visible(asked.query), 1_000)}"${withCase}`, ...notes);
    const wanted = grouped(lines.slice(0, endOf(lines, limit, asked.contextLines)));
    const fit = wanted.slice(
      0,
      fitting(wanted, maxCharacters, (line) => line.text.length + 1),
    );
    const shown = fit.filter(({ hit }) => hit).length;
    const all = `${hits}${hits >= MOST_HITS ? ' or more' : ''}`;
    const raise = shown < limit ? 'maxCharacters' : 'limit';
    const more =
      shown < hits ? `${shown} of ${all} hits. Narrow the query or raise ${raise} for the rest.` : '';
    return text(fit.map((line) => line.text).join('\n'), more, ...notes);
  },
});

/** Index after the last shown hit and its context. */
function endOf(lines: readonly SearchLine[], limit: number, contextLines: number): number {
  let hits = 0;
  const index = lines.findIndex(({ hit }) => hit && ++hits === limit);
  const last = lines[index];
  if (!last) return lines.length;
  const isContext = ({ path, line, hit }: SearchLine) =>
    !hit && path === last.path && (line ?? 0) <= (last.line ?? 0) + contextLines;
  let end = index + 1;
  for (let next = lines[end]; next && isContext(next); next = lines[end]) end++;
  return end;
}

/** The lines of the answer. A path is part of its first line, so that no file is named without its hits. */
function grouped(lines: readonly SearchLine[]): { text: string; hit: boolean }[] {
  let last: SearchLine | undefined;
  return lines.map((line) => {
    const isNext = line.path === last?.path;
    const isGap = isNext && (line.line ?? 0) > (last?.line ?? 0) + 1 && !(line.hit && last?.hit);
    const lead = isNext ? (isGap ? '--\n' : '') : `${last ? '\n' : ''}${visible(line.path)}\n`;
    last = line;
    const text = `${lead}${line.line ?? '?'}${line.hit ? ':' : '-'} ${visibleText(line.text)}`;
    return { text, hit: line.hit };
  });
}

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
