import * as z from 'zod';
import type { AgentRun } from '../../services/run/agentRun.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { shownOf } from './runText.ts';

/** A text in the output of a run, for which a call waits. */
export const untilText = z
  .string()
  .max(1_000)
  .refine((text) => /^[^\n]+$/.test(text), 'One line')
  .optional();

/**
 * Waits for the end of a run, or for a text in its output.
 *
 * @param wait in seconds. @param fromLine 1-based: the text counts from there on
 * @returns what to say if the text has not come, or more has come after it and the run goes on
 */
export async function waitFor(
  run: AgentRun,
  { wait, until, fromLine }: { wait: number; until?: string | undefined; fromLine?: number | undefined },
  ctx: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  const finds = until === undefined ? undefined : finder(run, ctx, until, fromLine);
  await run.wait(args.waitTime(wait), signal, finds && (() => finds() !== undefined));
  const line = finds?.();
  const isAll = run.result !== undefined || line === run.output.count;
  if (!finds || (line !== undefined && isAll)) return undefined;
  return line === undefined
    ? `"${until}" is not in the output${run.result ? '' : ' yet'}.`
    : `"${until}" is in line ${line} of ${run.output.count}: fromLine looks later.`;
}

/**
 * The 1-based line in which a text has come first, each time it is called. It looks in what the agent may see: else it could find out the rest by
 * guessing; and only at lines that it has not seen whole.
 */
function finder(run: AgentRun, ctx: Context, until: string, fromLine = 1): () => number | undefined {
  let from = fromLine;
  let found: number | undefined;
  return () => {
    if (found !== undefined) return found;
    const { head, tail, count } = shownOf(run, ctx, from);
    const [inHead, inTail] = [head, tail].map((lines) => lines.findIndex((line) => line.includes(until)));
    if (inHead !== undefined && inHead >= 0) found = from + inHead;
    else if (inTail !== undefined && inTail >= 0) found = count - tail.length + inTail + 1;
    from = Math.max(from, count); // the last line may go on
    return found;
  };
}
