import * as z from 'zod';
import * as args from '../arguments.ts';
import { defineReadTool, text } from '../tool.ts';
import { debuggeeMeant, nameText, stateText, stoppedThread } from './sessionText.ts';
import { debuggeeText } from './stopText.ts';

export const debugState = defineReadTool({
  name: 'debug_state',
  title: 'State of debugging',
  description:
    "Lists debug sessions, the user's too, with all of the stop of one. Use it to look at another frame, or to wait for a stop.",
  group: 'debug',
  needs: 'debuggers',
  alsoNeeds: ['run'], // values may be secrets
  hints: { search: 'stack trace and local variables of a stopped program' },
  input: z.strictObject({
    session: z.int().min(1).optional(),
    thread: z.int().min(1).optional(),
    frame: z.int().min(0).default(0).describe('0: innermost'),
    depth: z.int().min(1).max(4).default(1).describe('Levels of members'),
    wait: args.wait(0),
  }),
  async run({ session, thread: number, frame, depth, wait }, ctx, call) {
    const { all } = ctx.debuggees;
    const running = all.filter(({ hasEnded }) => !hasEnded);
    if (session === undefined && running.length !== 1) {
      const states = all.map((one) => stateText(one, one.threads.stopped[0], ctx));
      return text([...(running.length === 0 ? [ctx.debuggees.none] : []), ...states].join('\n'));
    }
    const debuggee = debuggeeMeant(session, ctx);
    if (debuggee.threads.stopped.length === 0)
      await debuggee.waitForStop(debuggee.threads.stops, args.waitTime(wait), call.signal);
    const thread =
      number === undefined || debuggee.threads.stopped.length === 0
        ? undefined
        : stoppedThread(debuggee, number);
    const threads = debuggee.threads.all.map(
      (one) =>
        `${one.number}${one.name ? ` ${nameText(one.name)}` : ''}: ${one.stop ? nameText(one.stop.reason) : 'runs'}`,
    );
    const list = threads.length > 1 ? `\n\nThreads:\n${ctx.files.redactor.text(threads.join('\n'))}` : '';
    return text((await debuggeeText(debuggee, ctx, { thread, frame, depth })) + list);
  },
});
