import { UserError } from '../../core/errors.ts';
import type { Debuggee, DebugThread } from '../../services/debug/debuggee.ts';
import type { Context } from '../context.ts';
import { stateText } from './stopText.ts';

/** The session with a number; if left out, the only one that goes on, of this agent's or of all. @throws UserError */
export function debuggeeMeant(number: number | undefined, ctx: Context): Debuggee {
  if (number !== undefined) return ctx.debuggees.get(number);
  const running = ctx.debuggees.all.filter(({ hasEnded }) => !hasEnded);
  const own = running.filter(({ author }) => author?.id === ctx.author().id);
  const [only, ...others] = own.length > 0 ? own : running;
  if (only && others.length === 0) return only;
  if (!only) throw new UserError(ctx.debuggees.none);
  const states = [only, ...others].map((one) => stateText(one, one.stopped[0], ctx));
  throw new UserError(`Pass the number of the session. There are several: ${states.join(' ')}`);
}

/** The thread with a number, or the one that has stopped last. @throws UserError if it runs */
export function stoppedThread(debuggee: Debuggee, number: number | undefined): DebugThread {
  const { hasEnded, threads, stopped } = debuggee;
  if (hasEnded) throw new UserError(`Session ${debuggee.number} has ended: call debug_start.`);
  const thread = number === undefined ? stopped[0] : threads.find((one) => one.number === number);
  if (!thread) {
    const known = threads.map((one) => one.number).join(', ');
    throw new UserError(
      number === undefined
        ? `Session ${debuggee.number} runs: set a breakpoint, or pause it with debug_control.`
        : `Session ${debuggee.number} has no thread ${number}. It has: ${known || 'none'}.`,
    );
  }
  if (!thread.stop)
    throw new UserError(`Thread ${number} runs: set a breakpoint, or pause it with debug_control.`);
  return thread;
}
