import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import * as z from 'zod';
import type { PlannedAction } from '../../access/consent/types.ts';
import { UserError } from '../../core/errors.ts';
import { debugGrant } from '../../core/grants.ts';
import type { Debuggee } from '../../services/debug/debuggee.ts';
import { ask, framesOf } from '../../services/debug/inspect.ts';
import type { DebugThread } from '../../services/debug/threads.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, STARTS_PROGRAMS, type ToolCall, text } from '../tool.ts';
import { startPlanned } from './debugStart.ts';
import { planned } from './launchPlan.ts';
import { debuggeeMeant, lineTitle, stoppedThread, whose } from './sessionText.ts';
import { debuggeeText } from './stopText.ts';

/** Requests of the Debug Adapter Protocol that let a stopped thread go on. */
const STEPS = { continue: 'continue', over: 'next', into: 'stepIn', out: 'stepOut' } as const;

export const debugControl = defineTool({
  name: 'debug_control',
  title: 'Control debugging',
  description:
    'Controls a debug session: continues, steps, pauses, runs to a line, restarts, stops. Use it after debug_start. Answers as debug_start does.',
  group: 'debug',
  needs: 'debuggers',
  operation: 'run',
  annotations: STARTS_PROGRAMS,
  input: z.strictObject({
    action: z.enum(['continue', 'over', 'into', 'out', 'pause', 'to_line', 'restart', 'stop']),
    session: z.int().min(1).optional(),
    thread: z.int().min(1).optional(),
    path: z.string().min(1).optional().describe('For to_line'),
    line: args.line.optional().describe('For to_line'),
    wait: args.wait(),
  }),
  async run(given, ctx, call) {
    const { action, session, thread: number, wait } = given;
    const debuggee = debuggeeMeant(session, ctx);
    if (action === 'restart') return await restarted(debuggee, wait, ctx, call);
    const place = action === 'to_line' ? await placeMeant(debuggee, given, ctx) : undefined;
    await allowControl(debuggee, action, place?.title, ctx, call);
    const { stops } = debuggee.threads;
    const stopped = () => debuggee.waitForStop(stops, args.waitTime(wait), call.signal);
    if (action === 'stop') await ctx.debuggees.stop(debuggee, call.signal);
    else if (action === 'pause') await pause(debuggee, number);
    else if (place) await toLine(place, debuggee, stoppedThread(debuggee, number), ctx, call.signal, stopped);
    else if (action !== 'to_line') {
      const thread = stoppedThread(debuggee, number);
      await ask(thread.session, STEPS[action], { threadId: thread.id });
    }
    if (action !== 'stop') await stopped();
    return text(await debuggeeText(debuggee, ctx));
  },
});

/** A session that this agent has surely started goes on with what the user has allowed; any other is asked about. */
async function allowControl(
  debuggee: Debuggee,
  action: string,
  place: string | undefined,
  ctx: Context,
  call: ToolCall,
): Promise<void> {
  const { author, agent, key: id } = debuggee;
  const { name } = debuggee.root;
  const planned: PlannedAction = { kind: 'debug', intent: { type: 'control' }, subject: name };
  const isEnding = action === 'stop' || action === 'pause'; // what is denied may end
  if (author?.id === ctx.author().id) return call.skipQuestion(isEnding ? undefined : planned);
  await call.approve({
    ...planned,
    ...(agent ? { grant: debugGrant({ what: 'control', id, name }) } : { everyTime: true }),
    arguments: { action, session: whose(debuggee), ...(place && { line: place }) },
  });
}

/** Its session is another one, with another number. It is asked about as at its start, and runs as it was shown then. */
async function restarted(
  debuggee: Debuggee,
  wait: number,
  ctx: Context,
  call: ToolCall,
): Promise<CallToolResult> {
  const { author, startedAs, number } = debuggee;
  if (!author) throw new UserError('The user may have started this session: ask them to restart it.');
  if (author.id !== ctx.author().id || !startedAs)
    throw new UserError(`${author.agent} has started this session: start your own with debug_start.`);
  const plan = await planned([startedAs], ctx);
  const again = {
    ...plan,
    intent: 'restart' as const,
    shown: { action: `restart of session ${number}`, ...plan.shown },
  };
  return await startPlanned(again, wait, ctx, call, async () => {
    await ctx.debuggees.stop(debuggee, call.signal);
    if (!debuggee.hasEnded) throw new UserError(`Session ${number} has not ended: it was not started again.`);
    return [];
  });
}

/** @throws UserError if none of its threads runs */
async function pause(debuggee: Debuggee, number: number | undefined): Promise<void> {
  if (debuggee.hasEnded) throw new UserError(`Session ${debuggee.number} has ended.`);
  // Not all adapters tell when a thread begins: they name all in the answer.
  await Promise.all([...debuggee.sessions].map((session) => ask(session, 'threads', {}).catch(() => {})));
  const running = debuggee.threads.all.filter(({ stop }) => !stop);
  const thread = number === undefined ? running[0] : running.find((one) => one.number === number);
  if (!thread)
    throw new UserError(
      number === undefined
        ? 'It has no thread that runs, or is still starting: call debug_state with wait.'
        : `Thread ${number} does not run.`,
    );
  await ask(thread.session, 'pause', { threadId: thread.id });
}

interface Place {
  location: vscode.Location;
  /** With the code of its line. */
  title: string;
}

/** @throws UserError if no line is meant */
async function placeMeant(
  debuggee: Debuggee,
  {
    thread: number,
    path,
    line,
  }: { thread?: number | undefined; path?: string | undefined; line?: number | undefined },
  { vscode, files }: Context,
): Promise<Place> {
  if (line === undefined) throw new UserError('to_line needs line.');
  const thread = stoppedThread(debuggee, number);
  const [frame] = path === undefined ? await framesOf(thread, vscode.Uri, 0, 1) : [];
  const location =
    path === undefined ? frame?.uri && (await files.permitted(frame.uri)) : await files.locateMeant(path);
  if (!location) throw new UserError('It has not stopped in a file that agents may read: pass path.');
  const place = new vscode.Location(location.uri, new vscode.Position(line - 1, 0));
  return { location: place, title: await lineTitle(location, line, files) };
}

/** By a breakpoint, which goes with the next stop. */
async function toLine(
  { location }: Place,
  debuggee: Debuggee,
  { session, id }: DebugThread,
  { vscode, breakpoints, author }: Context,
  signal: AbortSignal,
  stopped: () => Promise<void>,
): Promise<void> {
  const breakpoint = new vscode.SourceBreakpoint(location);
  const isNew = !breakpoints.at(location);
  if (isNew) breakpoints.add(breakpoint, author());
  try {
    if (isNew) await debuggee.waitForBinding(breakpoint, signal);
    await ask(session, 'continue', { threadId: id });
    await stopped();
  } finally {
    breakpoints.remove([breakpoint]);
  }
}
