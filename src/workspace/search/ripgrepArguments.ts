import { tmpdir } from 'node:os';
import { type RipgrepRun, runRipgrep } from '../../disk/ripgrep.ts';
import type { SearchQuery } from './searchQuery.ts';

/** What is asked of ripgrep. */
export interface Asked {
  executable: string;
  query: SearchQuery;
  signal: AbortSignal;
}

/** Searches a text that is on no disk. */
export function inText({
  query,
  text,
  ...run
}: Asked & { text: string } & Pick<RipgrepRun, 'onPiece' | 'beforeMore'>): Promise<void> {
  // Without --text ripgrep takes a NUL for a line end, and counts other lines.
  const args = ['--no-config', '--text', ...matching(query), '--', query.query, '-'];
  return runRipgrep({ ...run, args, cwd: tmpdir(), stdin: text, separator: '\n' });
}

/** Whether a match may have several lines. */
export const isMultiline = ({ query }: Pick<SearchQuery, 'query'>): boolean => /\n|\\n/.test(query);

/** Arguments that say what is searched for. */
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
