import * as z from 'zod';
import { visible } from '../../core/text/escapeInvisible.ts';
import { data, defineTool, LOOKS_ONLY } from '../tool.ts';
import { MOST_PROBLEMS, type ProblemReport, problemReport, reportProblems } from './problemReport.ts';
import { problemLine, SEVERITIES } from './problems.ts';

/** The problems that the language servers report. */
export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Problems',
  description:
    'The errors and warnings that the language servers and linters in VS Code report, for given files (loaded if they are not open, and waited for until they are checked) or for all that VS Code has checked. Lines and columns are 1-based.',
  group: 'language',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    path: z.string().min(1).optional().describe('One file'),
    paths: z.array(z.string().min(1)).max(100).optional().describe('Several files'),
    severity: z.enum(SEVERITIES).default('hint').describe('The mildest to report'),
    limit: z.int().min(1).max(5000).default(MOST_PROBLEMS),
  }),
  output: problemReport,
  async run({ path, paths = [], severity, limit }, ctx, call) {
    const named = path === undefined ? paths : [path, ...paths];
    const result = await reportProblems({ named, severity, limit }, ctx, call);
    return data(result, inWords(result));
  },
});

function inWords({ files, count, leftOut, unsettled, failed, note }: ProblemReport): string {
  const lines = files.flatMap(({ path, problems }) => [visible(path), ...problems.map(problemLine)]);
  if (count === 0) lines.push('No problems.');
  if (leftOut) lines.push(`${leftOut} more. Raise limit, name files, or ask for severity "error" only.`);
  if (failed) lines.push('Not checked:', ...failed.map((reason) => `  ${visible(reason)}`));
  if (note) lines.push(note);
  if (unsettled)
    lines.push(`The language server is still at work on ${unsettled.map(visible).join(', ')}: ask again.`);
  return lines.join('\n');
}
