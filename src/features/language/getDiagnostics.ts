import * as z from 'zod';
import * as args from '../arguments.ts';
import { data, defineTool, LOOKS_ONLY } from '../tool.ts';
import { problemReport } from './problemReport.ts';
import { SEVERITIES } from './problems.ts';
import { MOST_PROBLEMS, reportProblems } from './reportProblems.ts';

/** The problems that the language servers report. */
export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'VS Code problems',
  description:
    'Gets errors and warnings of the language servers and linters in VS Code, for given files and folders, or all reported so far. Call it instead of a build; it waits until given files are checked.',
  group: 'language',
  operation: 'read',
  annotations: LOOKS_ONLY,
  hints: { alwaysLoad: true },
  input: z.strictObject({
    path: z.string().min(1).optional().describe('File, folder or glob; "." for all'),
    paths: z.array(z.string().min(1)).max(100).optional().describe('Several'),
    severity: z.enum(SEVERITIES).default('information').describe('Least severe to report'),
    limit: args.limit(MOST_PROBLEMS),
    maxCharacters: args.maxCharacters,
  }),
  output: problemReport,
  async run({ path, paths = [], ...wanted }, ctx, call) {
    const named = path === undefined ? paths : [path, ...paths];
    const { report, text } = await reportProblems({ named, ...wanted }, ctx, call);
    return data(report, text);
  },
});
