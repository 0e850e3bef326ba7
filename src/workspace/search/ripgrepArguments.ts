import { tmpdir } from 'node:os';
import { type RipgrepRun, runRipgrep } from '../../disk/ripgrep.ts';

/** A search for ripgrep to run. */
export interface RipgrepSearch {
  executable: string;
  query: SearchQuery;
  signal: AbortSignal;
}

/** Searches a text that is not on the disk. */
export function inText({
  query,
  text,
  ...run
}: RipgrepSearch & { text: string } & Pick<RipgrepRun, 'onPiece' | 'beforeMore'>): Promise<void> {
  // Without --text ripgrep treats NUL as a line end, so line numbers would differ.
  const args = ['--no-config', '--text', ...REPORT, ...matching(query), '--', patternOf(query), '-'];
  return runRipgrep({ ...run, args, cwd: tmpdir(), stdin: text, separator: '\n' });
}

/** Whether a match may span several lines. */
export const isMultiline = ({ query, isRegex }: Pick<SearchQuery, 'query' | 'isRegex'>): boolean =>
  query.includes('\n') || (isRegex && query.includes('\\n'));

/** The query as ripgrep's pattern. A line break means that of the file, as in VS Code's own search. */
export function patternOf({ query, isRegex }: Pick<SearchQuery, 'query' | 'isRegex'>): string {
  if (!isMultiline({ query, isRegex })) return query;
  return isRegex ? withAnyBreaks(query) : escaped(query).replaceAll(/\r?\n/g, String.raw`\r?\n`);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, String.raw`\$&`);

/** An escape, a class, or a line break. A class that excludes the break excludes both its characters. */
const TOKEN = /\\r\\n|\\r\?\\n|\\n|\r?\n|\\.|\[(\^?)(?:\\.|[^\]\\])+\]/gs;

const withAnyBreaks = (expression: string): string =>
  expression.replaceAll(TOKEN, (token, negation?: string) => {
    if (/^(?:\\r\??)?\\n$|^\r?\n$/.test(token)) return String.raw`\r?\n`;
    return negation && /\\n|\n/.test(token) ? token.replace('[^', String.raw`[^\r`) : token;
  });

/** What a search looks for, wherever. */
export type Matched = Omit<SearchQuery, 'include' | 'exclude' | 'onNote'>;

/** Arguments for the report on hits. */
export const REPORT = ['--json', '--no-messages', '--crlf'];

/** Arguments for the query. */
export const matching = ({ query, isRegex, caseSensitive, wholeWord, contextLines }: Matched): string[] => [
  ...(isMultiline({ query, isRegex }) ? ['--multiline'] : isRegex ? [] : ['--fixed-strings']),
  caseSensitive ? '--case-sensitive' : '--ignore-case',
  ...(wholeWord ? ['--word-regexp'] : []),
  ...(contextLines > 0 ? [`--context=${contextLines}`] : []),
];

export interface SearchQuery {
  query: string;
  isRegex: boolean;
  caseSensitive: boolean;
  wholeWord: boolean;
  /** Globs relative to a folder. */
  include: readonly string[];
  exclude: readonly string[];
  /** Lines shown before and after a hit. */
  contextLines: number;
  /** Called with a sentence about what the search does not cover, or covers though lists do not. */
  onNote?(note: string): void;
}
