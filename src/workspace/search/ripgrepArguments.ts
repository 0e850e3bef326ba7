import { tmpdir } from 'node:os';
import { type RipgrepRun, runRipgrep } from '../../disk/ripgrep.ts';
import type { RipgrepEvent } from './ripgrepEvents.ts';
import type { SearchQuery } from './searchQuery.ts';

/** What is asked of ripgrep. */
export interface Asked {
  executable: string;
  query: SearchQuery;
  signal: AbortSignal;
}

/** Where a line matches, in bytes of UTF-8. */
export interface Match {
  start: number;
  end: number;
}

/** Searches a text that is on no disk. */
export function inText({
  query,
  text,
  ...run
}: Asked & { text: string } & Pick<RipgrepRun, 'onPiece' | 'beforeMore'>): Promise<void> {
  // Else ripgrep takes a NUL for a line end, and counts other lines.
  const args = ['--no-config', '--text', ...matching(query), '--', query.query, '-'];
  return runRipgrep({ ...run, args, cwd: tmpdir(), stdin: text, separator: '\n' });
}

/** Where a query matches lines, by their indices; ones too long to report on are none. */
export async function inLines({
  query,
  lines,
  ...run
}: Asked & { lines: readonly string[] }): Promise<ReadonlyMap<number, readonly Match[]>> {
  const found = new Map<number, readonly Match[]>();
  const onPiece = (piece: string, isCut: boolean) => {
    const { type, data } = isCut ? { type: 'end' } : (JSON.parse(piece) as RipgrepEvent);
    if (type === 'match' && data?.line_number) found.set(data.line_number - 2, data.submatches ?? []);
  };
  // Ripgrep drops a byte order mark from the start: what stands first is not one of these lines.
  const text = ['', ...lines].map((line) => `${line}\n`).join('');
  await inText({ ...run, query: { ...query, contextLines: 0 }, text, onPiece });
  return found;
}

/** Whether what is looked for may be more than a line. */
export const isMultiline = ({ query }: Pick<SearchQuery, 'query'>): boolean => /\n|\\n/.test(query);

/** Arguments that say what is looked for. */
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
