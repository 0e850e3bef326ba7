import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';
import { noted } from '../tool.ts';
import { problemLine, problemSchema } from './problems.ts';

/** The result of `get_diagnostics`. */
export const problemReport = z.object({
  files: z
    .array(z.object({ path: z.string(), problems: z.array(problemSchema) }))
    .describe('With problems. A given file in no list is clean'),
  count: z.number().describe('All problems, also those left out'),
  leftOut: z.number().optional().describe('Raise limit or maxCharacters to get them'),
  unchecked: z
    .array(z.string())
    .optional()
    .describe('No extension checks these files: their problems are unknown'),
  pending: z
    .array(z.string())
    .optional()
    .describe('No report on the current text of these files yet: ask again'),
  failed: z.array(z.string()).optional().describe('Files with the reason'),
  note: z.string().optional(),
});

export type ProblemReport = z.output<typeof problemReport>;

/**
 * The report as text.
 *
 * @param checked number of files that were checked
 * @param mildest the least severe problems that were requested
 */
export function inWords(report: ProblemReport, checked: number, mildest: string): string {
  const { files, count, leftOut, failed, note, unchecked, pending } = report;
  const lines = files.flatMap(({ path, problems }) => [visible(path), ...problems.map(problemLine)]);
  const isAll = !unchecked && !pending && !failed;
  if (count === 0 && checked > 0) {
    const isUsual = mildest === 'hint' || mildest === 'information';
    const none = isUsual ? 'No problems' : `No problems of severity "${mildest}" or worse`;
    lines.push(isAll ? `${none}.` : `${none} in the files that were checked.`);
  }
  if (failed) lines.push('Not checked:', ...failed.map((reason) => `  ${visible(reason)}`));
  if (note) lines.push(note);
  const more =
    leftOut && `${count - leftOut} of ${count} problems. Name fewer files, or raise limit or maxCharacters.`;
  return noted(lines.join('\n'), more || undefined);
}

/** Files whose problems are unknown, if files were named. */
export function noteOn(unchecked: readonly string[], pending: readonly string[]): string | undefined {
  const notes = [
    unchecked.length > 0 && `No extension in VS Code is known to check ${listed(unchecked)}.`,
    pending.length > 0 &&
      `No report on the current text of ${listed(pending)} yet: the language server may still be starting or busy. Ask again.`,
  ];
  return notes.filter(Boolean).join('\n') || undefined;
}

/** That the report is incomplete, if no file was named. */
export const noteOnAll = (count: number): string =>
  `${count === 0 ? 'No problems' : 'These are the problems'} reported so far, mostly on open tabs. Pass paths to check files.`;

/** Most paths that a note names. */
const MOST_NAMED = 20;

const listed = (paths: readonly string[]): string =>
  paths.slice(0, MOST_NAMED).map(visible).join(', ') +
  (paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more files` : '');
