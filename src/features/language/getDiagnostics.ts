import * as z from 'zod';
import { data, defineTool, LOOKS_ONLY } from '../tool.ts';
import { problemReport } from './problemReport.ts';
import { SEVERITIES } from './problems.ts';
import { MOST_PROBLEMS, reportProblems } from './reportProblems.ts';

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
    const { report, text } = await reportProblems({ named, severity, limit }, ctx, call);
    return data(report, text);
  },
});
