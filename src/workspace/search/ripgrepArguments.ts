import { tmpdir } from 'node:os';
import { type RipgrepRun, runRipgrep } from '../../disk/ripgrep.ts';
import type { SearchQuery } from './searchQuery.ts';

/** A search for ripgrep to run. */
export interface Asked {
  executable: string;
  query: SearchQuery;
  signal: AbortSignal;
}

/** Searches a text that is not on the disk. */
export function inText({
  query,
  text,
  ...run
}: Asked & { text: string } & Pick<RipgrepRun, 'onPiece' | 'beforeMore'>): Promise<void> {
  // Without --text ripgrep treats NUL as a line end, so line numbers would differ.
  const args = ['--no-config', '--text', ...matching(query), '--', query.query, '-'];
  return runRipgrep({ ...run, args, cwd: tmpdir(), stdin: text, separator: '\n' });
}

/** Whether a match may span several lines. */
export const isMultiline = ({ query }: Pick<SearchQuery, 'query'>): boolean => /\n|\\n/.test(query);

/** Arguments for the query. */
export const matching = ({
  query,
  isRegex,
  caseSensitive,
  wholeWord,
  contextLines,
}: SearchQuery): string[] => [
  '--json',
  '--no-messages',
  '--crlf',
  ...(isMultiline({ query }) ? ['--multiline'] : []),
  ...(isRegex ? [] : ['--fixed-strings']),
  caseSensitive ? '--case-sensitive' : '--ignore-case',
  ...(wholeWord ? ['--word-regexp'] : []),
  ...(contextLines > 0 ? [`--context=${contextLines}`] : []),
];
