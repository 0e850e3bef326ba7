import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { clock } from '../../util/clock.ts';
import * as args from '../arguments.ts';
import { requireAskedAbout, savingFirst, unsavedNote } from '../run/savedFirst.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { planOf } from './plan.ts';
import { debuggeeText } from './stopText.ts';

/** Starts the debugger. */
export const debugStart = defineTool({
  name: 'debug_start',
  title: 'Start debugging',
  description:
    'Runs a launch configuration, file or test in the debugger of VS Code until it stops or ends. Use it instead of print statements: returns place, frames, variables and output.',
  group: 'debug',
  needs: 'debuggers',
  operation: 'run',
  annotations: STARTS_PROGRAMS,
  hints: { search: 'debug a program, test or launch configuration; attach', alwaysLoad: true },
  input: z.strictObject({
    name: z.string().min(1).optional().describe('Of a launch configuration or compound'),
    path: z.string().min(1).optional().describe('A file to run, or of the test'),
    line: args.line.optional().describe('Of a test in path'),
    configuration: z.record(z.string(), z.unknown()).optional().describe('As in launch.json'),
    stopOnEntry: z.boolean().default(false),
    noDebug: z.boolean().default(false),
    wait: args.wait(),
  }),
  async run(given, ctx, call) {
    const deadline = clock.now() + args.waitTime(given.wait);
    const left = () => Math.max(0, deadline - clock.now());
    const plan = await planOf(given, ctx, call.signal);
    const action: PlannedAction = { kind: 'debug', subject: plan.title, arguments: plan.shown };
    const asked = plan.saves ? savingFirst(action, plan.saves, ctx) : action;
    await call.approve(asked);
    if (plan.saves) requireAskedAbout(asked, plan.saves, call.isApproved, ctx);
    const author = ctx.author();
    const start = { author, name: plan.name, ms: left(), signal: call.signal };
    const debuggee = await ctx.debuggees.start(plan.begin, start);
    if (!debuggee)
      return text(
        'VS Code has not started it yet: it may be running a task first, or asking the user something. debug_state shows it once it has begun.',
      );
    await debuggee.waitForStop(0, left(), call.signal);
    return text(await debuggeeText(debuggee, ctx), unsavedNote(ctx));
  },
});
