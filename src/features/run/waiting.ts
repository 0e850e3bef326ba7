import * as z from 'zod';
import { CANCELLED_BY_USER, isUnwanted } from '../../core/cancelled.ts';
import type { AgentRun } from '../../services/run/agentRun.ts';
import * as args from '../arguments.ts';
import type { Call, Context } from '../context.ts';
import { goingText, shownOf } from './runText.ts';

/** The longest time of a timer, in milliseconds: 24 days. */
export const FOR_EVER = 2 ** 31 - 1;

/** Seconds that a call waits unless it says otherwise: who says less wants to go on then, not to be called back. */
const USUAL_WAIT = 45;

/** What makes a call a task that waits so many seconds; undefined if it is to be none. */
export const outlasting = ({ becomeTask }: Pick<Call, 'becomeTask'>, seconds: number): Call['becomeTask'] =>
  seconds < USUAL_WAIT ? undefined : becomeTask;

/**
 * Waits for the end of a run that a call has started, or until it is enough: so many seconds, then as a task if the client takes
 * tasks. A cancelled call stops the run; at a time limit of its client it goes on.
 */
export async function waitForOwn(
  run: AgentRun,
  seconds: number,
  call: Pick<Call, 'signal' | 'becomeTask'>,
  ctx: Context,
  isEnough: () => boolean = () => false,
): Promise<void> {
  const { signal } = call;
  const becomeTask = outlasting(call, seconds);
  await run.wait(args.waitTime(seconds), signal, isEnough);
  if (becomeTask && !run.result && !run.awaited && !isEnough() && !signal.aborted) {
    becomeTask(goingText(run, ctx));
    await run.wait(FOR_EVER, signal, isEnough);
  }
  if (!signal.aborted || run.result) return;
  if (isUnwanted(signal)) run.running?.stop(signal.reason === CANCELLED_BY_USER ? 'user' : 'agent');
  else ctx.log.info(`run ${run.id} goes on without its call: ${signal.reason}`);
}

/** A text in the output of a run, for which a call waits. */
export const untilText = z
  .string()
  .max(1_000)
  .refine((text) => /^[^\n]+$/.test(text), 'One line')
  .optional();

/**
 * Waits until a text is in the output of a run, if one is given.
 *
 * @param fromLine 1-based: the text counts from there on. @param wait as long as this waits
 * @returns what to say if the text has not come, or more has come after it and the run goes on
 */
export async function waitFor(
  run: AgentRun,
  { until, fromLine }: { until?: string | undefined; fromLine?: number | undefined },
  ctx: Context,
  wait: (isEnough?: () => boolean) => Promise<void>,
): Promise<string | undefined> {
  const finds = until === undefined ? undefined : finder(run, ctx, until, fromLine);
  await wait(finds && (() => finds() !== undefined));
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
