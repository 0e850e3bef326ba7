import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { runRipgrep } from '../../disk/ripgrep.ts';
import type { Locator } from '../read/location.ts';
import { isMultiline, type Matched, matching, patternOf } from './ripgrepSearch.ts';
import { requireRipgrep } from './searchText.ts';

export interface Replacing {
  query: Matched;
  /** As it is; for a regular expression with `$1`, `$<name>`, `$&` and `$$`, as in JavaScript. Without NUL. */
  replacement: string;
}

export interface ReplacedText {
  text: string;
  count: number;
}

/**
 * Replaces what a search for the query finds in a text. Matches that touch redacted text stay.
 *
 * @param text with `\n` line ends
 * @throws UserError if the text cannot be replaced, CancelledError
 */
export async function replaceText(
  locator: Locator,
  text: string,
  { query, replacement }: Replacing,
  signal: AbortSignal,
): Promise<ReplacedText> {
  // Without it, ripgrep finds no `$` at the end.
  const missingEnd = text === '' || text.endsWith('\n') || isMultiline(query) ? '' : '\n';
  const mark = randomUUID();
  const template = query.isRegex ? templateOf(replacement) : replacement.replaceAll('$', '$$$$');
  // Otherwise ripgrep would take the text for binary, or drop a byte order mark.
  const asItIs = ['--no-config', '--text', '--encoding=none'];
  const output = ['--passthru', '--no-line-number', '--no-filename', '--color=never'];
  const replace = `--replace=${[mark, `$\{0}`, mark, template, mark].join('')}`;
  const lines: string[] = [];
  await runRipgrep({
    executable: requireRipgrep(locator),
    args: [...matching(query), ...asItIs, ...output, replace, '--', patternOf(query), '-'],
    cwd: tmpdir(),
    stdin: text + missingEnd,
    signal,
    separator: '\n',
    onPiece(line, isCut) {
      if (isCut) throw new UserError('Nothing was changed: a line is too long. Narrow include.');
      lines.push(line, '\n');
    },
  });
  return joined(text, lines.join('').split(mark));
}

/** JavaScript's signs for groups in ripgrep's notation. */
const templateOf = (replacement: string): string =>
  replacement.replaceAll(/\$(?:([$&\d])|<(\w+)>)?/g, (_, sign?: string, name?: string) => {
    if (name !== undefined) return `\${${name}}`;
    return sign === undefined || sign === '$' ? '$$' : `\${${sign === '&' ? 0 : sign}}`;
  });

/**
 * @param pieces by turns: text between matches, a match, and what replaces it
 * @throws UserError if they do not make the text: it has half a surrogate pair, say
 */
function joined(text: string, pieces: readonly string[]): ReplacedText {
  let after = '';
  let count = 0;
  let at = 0;
  for (let index = 0; index + 2 < pieces.length; index += 3) {
    const [between = '', found = '', replaced = ''] = pieces.slice(index, index + 3);
    const start = startOf(text, at, between, found);
    const end = start + found.length;
    const isApart = !touchesRedacted(text, start, end);
    after += text.slice(at, start) + (isApart ? replaced : found);
    if (isApart) count++;
    at = end;
  }
  const rest = text.slice(at);
  // Ripgrep ends the last line, and a line whose end was replaced.
  if (pieces.at(-1)?.replace(/^\n|\n$/g, '') !== rest.replace(/^\n|\n$/g, '')) throw notReplaced();
  return { text: after + rest, count };
}

/** Offset of a match. @param between what ripgrep prints before it, with a line end more if one was replaced */
function startOf(text: string, from: number, between: string, found: string): number {
  if (text.startsWith(between + found, from)) return from + between.length;
  const start = from + between.length - 1;
  if (between.startsWith('\n') && text.startsWith(between.slice(1) + found, from)) return start;
  throw notReplaced();
}

function touchesRedacted(text: string, start: number, end: number): boolean {
  const next = text.indexOf(REDACTED, Math.max(0, start - REDACTED.length));
  return next >= 0 && next <= end;
}

const notReplaced = (): UserError =>
  new UserError('Nothing was changed: ripgrep cannot replace this text. Write the query in another way.');
