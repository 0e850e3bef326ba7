import * as z from 'zod';
import { UserError } from '../../core/messages.ts';
import { waitForBinding } from '../../services/debug/breakpoints.ts';
import type { Debuggee } from '../../services/debug/debuggee.ts';
import { ask, framesOf } from '../../services/debug/inspect.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { savingFirst } from '../run/savedFirst.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { debuggeeMeant, debuggeeText, stoppedThread } from './stopText.ts';

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
  goesOn: () => true, // with what the user has allowed; it asks itself about a session of the user's
  async run({ action, session, thread: number, path, line, wait }, ctx, call) {
    const debuggee = debuggeeMeant(session, ctx);
    if (!debuggee.author)
      await call.approve({
        ...{ kind: 'debug', subject: debuggee.root.name, everyTime: true },
        arguments: { action, session: 'of the user', ...(line && { line }) },
      });
    const { name, configuration } = debuggee.root;
    const saving = savingFirst({ kind: 'debug', subject: name }, 'task', ctx);
    if (action === 'restart' && configuration.preLaunchTask && saving.everyTime) await call.approve(saving);
    const ms = args.waitTime(wait);
    const { stops } = debuggee;
    if (action === 'stop') await ctx.debuggees.stop(debuggee, call.signal);
    else if (action === 'restart') return text(await restarted(debuggee, ctx, ms, call.signal));
    else if (action === 'pause') await pause(debuggee, number);
    else if (action === 'to_line')
      await toLine(debuggee, { number, path, line }, ctx, call.signal, () =>
        debuggee.waitForStop(stops, ms, call.signal),
      );
    else {
      const thread = stoppedThread(debuggee, number);
      await ask(thread.session, STEPS[action], { threadId: thread.id });
    }
    if (action !== 'stop') await debuggee.waitForStop(stops, ms, call.signal);
    return text(await debuggeeText(debuggee, ctx));
  },
});

/** Each session of VS Code is another one after its restart, where its adapter cannot restart itself: so is ours. */
async function restarted(debuggee: Debuggee, ctx: Context, ms: number, signal: AbortSignal): Promise<string> {
  const { root, author } = debuggee;
  if (!author) throw new UserError('The user has started this session: ask them to restart it.');
  await ctx.debuggees.stop(debuggee, signal);
  if (!debuggee.hasEnded)
    throw new UserError(`Session ${debuggee.number} has not ended: it was not started again.`);
  const { workspaceFolder, configuration } = root;
  const options = { suppressSaveBeforeStart: true, suppressDebugView: true };
  const begin = () => ctx.vscode.debug.startDebugging(workspaceFolder, configuration, options);
  const next = await ctx.debuggees.start(begin, { author, name: configuration.name, ms, signal });
  if (!next) return 'VS Code has not started it again yet: debug_state shows it once it has begun.';
  await next.waitForStop(0, ms, signal);
  return await debuggeeText(next, ctx);
}

/** @throws UserError if none of its threads runs */
async function pause(debuggee: Debuggee, number: number | undefined): Promise<void> {
  if (debuggee.hasEnded) throw new UserError(`Session ${debuggee.number} has ended.`);
  // Not all adapters tell when a thread begins: they name all in the answer.
  await Promise.all([...debuggee.sessions].map((session) => ask(session, 'threads', {}).catch(() => {})));
  const running = debuggee.threads.filter(({ stop }) => !stop);
  const thread = number === undefined ? running[0] : running.find((one) => one.number === number);
  if (!thread)
    throw new UserError(
      number === undefined
        ? 'It has no thread that runs, or is still starting: call debug_state with wait.'
        : `Thread ${number} does not run.`,
    );
  await ask(thread.session, 'pause', { threadId: thread.id });
}

/** By a breakpoint, which goes with the next stop. @throws UserError if no line is meant */
async function toLine(
  debuggee: Debuggee,
  { number, path, line }: { number: number | undefined; path: string | undefined; line: number | undefined },
  ctx: Context,
  signal: AbortSignal,
  stopped: () => Promise<void>,
): Promise<void> {
  const { vscode, files, breakpoints } = ctx;
  if (line === undefined) throw new UserError('to_line needs line.');
  const thread = stoppedThread(debuggee, number);
  const [frame] = path === undefined ? await framesOf(thread, vscode.Uri, 0, 1) : [];
  const location =
    path === undefined ? frame?.uri && (await files.permitted(frame.uri)) : await files.locateMeant(path);
  if (!location) throw new UserError('It has not stopped in a file that agents may read: pass path.');
  const place = new vscode.Location(location.uri, new vscode.Position(line - 1, 0));
  const breakpoint = new vscode.SourceBreakpoint(place);
  if (!breakpoints.at(place)) breakpoints.add(breakpoint, ctx.author());
  try {
    await waitForBinding(breakpoint, [thread.session], signal);
    await ask(thread.session, 'continue', { threadId: thread.id });
    await stopped();
  } finally {
    breakpoints.remove([breakpoint]);
  }
}
