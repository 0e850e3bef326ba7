import * as z from 'zod';
import type { AgentRun } from '../../services/run/agentRun.ts';
import { lastFailures } from '../../services/run/testRuns.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, LOOKS_ONLY, text } from '../tool.ts';
import { runText, shownOf } from './runText.ts';
import { failureText } from './testReport.ts';

/** Reads the state and output of a run, and waits for its end. */
export const readRun = defineTool({
  name: 'read_run',
  title: 'Read run',
  description:
    'Reads state and output of a run: command, task, tests or cells of any agent. Use it to wait for its end, or for a text in its output.',
  group: 'run',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    run: z.int().min(1).optional().describe("Default: what failed in the last tests, the user's too"),
    wait: args.wait(0),
    until: z
      .string()
      .regex(/^[^\n]+$/)
      .optional()
      .describe('Text to wait for, from fromLine on'),
    fromLine: z.int().min(1).optional().describe('Default: first and last lines'),
    maxCharacters: args.maxCharacters,
  }),
  async run({ run: id, wait, until, fromLine, maxCharacters }, ctx, call) {
    ctx.files.policy.requireOperation('run'); // outputs may hold secrets
    if (id === undefined) return text(await failedLast(ctx));
    const run = ctx.agentRuns.get(id);
    const finds = until !== undefined && finder(run, ctx, until, fromLine);
    await run.wait(args.waitTime(wait), call.signal, finds || undefined);
    const missed = finds && !finds() && `"${until}" is not in the output${run.result ? '' : ' yet'}.`;
    return text(runText(run, ctx, maxCharacters, fromLine), missed || undefined);
  },
});

/**
 * Whether a text has come, each time it is called. It looks in what the agent may see: else it could find out the rest by
 * guessing; and only at lines that it has not seen whole.
 */
function finder(run: AgentRun, ctx: Context, until: string, fromLine = 1): () => boolean {
  let from = fromLine;
  let isFound = false;
  return () => {
    if (isFound) return true;
    const { head, tail, count } = shownOf(run, ctx, from);
    isFound = [head, tail].some((lines) => lines.some((line) => line.includes(until)));
    from = Math.max(from, count); // the last line may go on
    return isFound;
  };
}

/** Of the last run of tests in this window, whoever started it. */
async function failedLast({ vscode, files }: Context): Promise<string> {
  const failures = await lastFailures(vscode);
  if (!failures) return 'This version of VS Code does not tell what failed. Call run_tests.';
  if (failures.length === 0)
    return 'VS Code tells of no test that failed in the last run of tests. Pass run to read another run.';
  return files.redactor.text(failures.map(failureText).join('\n'));
}
