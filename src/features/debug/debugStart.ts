import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { isUnwanted } from '../../core/cancelled.ts';
import { UserError } from '../../core/errors.ts';
import { debugGrant } from '../../core/grants.ts';
import { namedTest } from '../../services/run/testNames.ts';
import { clock } from '../../util/clock.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { testsWanted } from '../run/runTests.ts';
import { requireAskedAbout, savingFirst, unsavedNote } from '../run/savedFirst.ts';
import { FOR_EVER, outlasting } from '../run/waiting.ts';
import { defineTool, STARTS_PROGRAMS, type ToolCall, text } from '../tool.ts';
import { obstaclesText } from './breakpointText.ts';
import { configurationFor, configured, knownNames, named, withOutput } from './launchConfigurations.ts';
import { type Plan, planned, requireOwnOnly } from './launchPlan.ts';
import { atLineOf, atPlace, place, requireFree, shownBreakpoints } from './newBreakpoints.ts';
import { stateText } from './sessionText.ts';
import { debuggeeText } from './stopText.ts';

const input = z.strictObject({
  name: args.query.min(1).optional().describe('Of a launch configuration'),
  path: z.string().min(1).optional().describe('File to run, or with the test'),
  line: args.line.optional().describe('Where the test is'),
  configuration: z.record(z.string(), z.unknown()).optional().describe('As in launch.json'),
  stopOnEntry: z.boolean().default(false),
  noDebug: z.boolean().default(false),
  // Their schema is that of another tool: the list of tools has little room.
  breakpoints: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('As debug_breakpoints has them'),
  wait: args.wait(),
});
type Given = z.output<typeof input>;

export const debugStart = defineTool({
  name: 'debug_start',
  title: 'Start debugging',
  description:
    'Runs a launch configuration, file or test in the debugger of VS Code to a breakpoint or its end. Use it instead of print statements: returns frames, variables, output.',
  group: 'debug',
  needs: 'debuggers',
  operation: 'run',
  asksFor: 'debug',
  annotations: STARTS_PROGRAMS,
  hints: { search: 'debug a program, test or launch configuration; attach', alwaysLoad: true },
  input,
  async run(given, ctx, call) {
    const plan = await planOf(given, ctx, call.signal);
    const breakpoints = await Promise.all(
      (given.breakpoints ?? []).map(async (fields) => {
        const one = atLineOf(fields);
        const path = one.path ?? given.path;
        return atPlace(one, path === undefined ? undefined : await ctx.files.locateMeant(path), ctx);
      }),
    );
    for (const one of breakpoints) await requireFree(one, ctx);
    const shown = breakpoints.length > 0 && { breakpoints: await shownBreakpoints(breakpoints, ctx) };
    const all = { ...plan, shown: { ...plan.shown, ...shown } };
    return await startPlanned(all, given.wait, ctx, call, async () => {
      for (const one of breakpoints) await place(one, ctx);
      return breakpoints.map(({ id }) => id);
    });
  },
});

const NOT_YET =
  'VS Code has not started it yet: it may be running a task first, or asking the user something.';

/** VS Code's number for the group of test profiles that debug. */
const DEBUG_GROUP = 4;

/**
 * Asks the user about all of it, and starts it.
 *
 * @param wait in seconds. @param first what is done once they have allowed it: gives the ids of breakpoints that it sets
 */
export async function startPlanned(
  plan: Plan,
  wait: number,
  ctx: Context,
  call: ToolCall,
  first: () => Promise<readonly string[]>,
): Promise<CallToolResult> {
  const { title: subject, intent, shown, also, saves, recheck, what } = plan;
  const key = randomUUID();
  const action: PlannedAction = {
    kind: 'debug',
    subject,
    arguments: shown,
    // VS Code does not tell which session is that of a test.
    ...(typeof what !== 'function' && {
      grant: debugGrant({ what: 'evaluate', id: key, name: subject }),
    }),
    ...(intent && { intent: { type: intent } }),
    ...(also && { also }),
  };
  const asked = saves ? savingFirst(action, saves, ctx) : action;
  await call.approve(asked);
  await recheck?.();
  if (saves) requireAskedAbout(asked, saves, call.isAllowed, ctx);
  const wanted = await first();
  const deadline = clock.now() + args.waitTime(wait);
  const left = () => Math.max(0, deadline - clock.now());
  const becomeTask = outlasting(call, wait);
  const stopClock = becomeTask && clock.after(left(), () => becomeTask(NOT_YET));
  const ms = becomeTask ? FOR_EVER : left();
  const { signal } = call;
  const debuggee = await ctx.debuggees
    .start(what, { key, author: ctx.author(), ms, signal })
    .finally(stopClock);
  if (!debuggee) return text(`${NOT_YET} debug_state shows it once it has begun.`);
  for (const id of wanted) debuggee.wanted.add(id);
  await debuggee.waitForStop(0, left(), signal);
  if (becomeTask && !debuggee.hasEnded && debuggee.threads.stopped.length === 0 && !signal.aborted) {
    becomeTask(stateText(debuggee, undefined, ctx));
    await debuggee.waitForStop(0, FOR_EVER, signal);
  }
  if (isUnwanted(signal)) await ctx.debuggees.stop(debuggee);
  const early = !debuggee.hasEnded && (await obstaclesText(debuggee, ctx));
  const told = await debuggeeText(debuggee, ctx);
  return text(early ? `${told}\n\n${early}` : told, unsavedNote(ctx));
}

/** @throws UserError if it is not one thing, or not known */
async function planOf(given: Given, ctx: Context, signal: AbortSignal): Promise<Plan> {
  const { name, path, line, configuration } = given;
  const location = path === undefined ? undefined : await ctx.files.locateMeant(path);
  const folder = folderOf(location, ctx);
  if (name !== undefined && configuration) throw new UserError('Pass name or configuration, not both.');
  if (name !== undefined) return named(name, given, folder, ctx);
  if (configuration) {
    requireOwnOnly(configuration);
    return planned([configured(withOutput(configuration, ctx), given, folder, ctx)], ctx);
  }
  if (!location) throw new UserError(`Pass name, path or configuration. ${knownNames(ctx)}`);
  if (line !== undefined) return await ofTest(location, line, ctx, signal);
  const own = withOutput(await configurationFor(location, ctx), ctx);
  return planned([configured(own, given, folder, ctx)], ctx);
}

const folderOf = (location: Location | undefined, { vscode, files }: Context) =>
  (location && vscode.workspace.getWorkspaceFolder(location.uri)) ?? files.folders()[0];

async function ofTest(location: Location, line: number, ctx: Context, signal: AbortSignal): Promise<Plan> {
  const ids = (await testsWanted(location, { line }, ctx, signal)) ?? [];
  const { commands } = ctx.vscode;
  return {
    title: `${location.path}:${line}`,
    also: ['test'],
    saves: 'tests',
    shown: {
      test: `${location.path}:${line}`,
      chosen: ids.map((id) => namedTest(ctx.vscode, id, location.uri).way),
    },
    what: () => commands.executeCommand('vscode.runTestsById', DEBUG_GROUP, ...ids),
  };
}
