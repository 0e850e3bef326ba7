import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import type { Debuggee } from '../../services/debug/debuggee.ts';
import type { DebugThread } from '../../services/debug/threads.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { isClosedSetting, type SettingLevel } from '../settingFiles.ts';

/** How debug sessions, and what they stop at, are named in answers and questions. */

/** UTF-16 units of a name, and of a value or line of code. */
const MOST_NAME = 100;
const MOST_VALUE = 300;

/** Names and messages come from programs: none may look like another line of an answer. */
export const nameText = (name: string, most = MOST_NAME): string =>
  visible(name.length > most ? `${name.slice(0, most)}…` : name);

/** Who has started a session, as far as VS Code tells. */
export function whose({ author, beside }: Pick<Debuggee, 'author' | 'beside'>): string {
  if (author) return `started by ${author.agent}`;
  return beside ? `started by the user, or by what ${beside.agent} was starting` : 'started by the user';
}

/** As in `src/a.ts:4 return sum;`. @param line 1-based */
export async function lineTitle(location: Location, line: number, files: Context['files']): Promise<string> {
  const lines = await files.lines(location, [line - 1]).catch(() => new Map<number, string>());
  return `${location.path}:${line} ${cut((lines.get(line - 1) ?? '').trim())}`.trimEnd();
}

/** In one line. @param exception what was thrown, if the agent may know it */
export function stateText(
  debuggee: Debuggee,
  thread: DebugThread | undefined,
  ctx: Context,
  exception?: string,
): string {
  const { files } = ctx;
  const { number, root, author, hasEnded, exitCode, failed } = debuggee;
  const { all, stopped } = debuggee.threads;
  const told = author || !hasClosedName(root, ctx) ? root.name : root.type;
  const name = `Session ${number} (${nameText(files.redactor.text(told))}, ${whose(debuggee)})`;
  if (failed !== undefined) return `${name} could not start: ${valueText(files.redactor.text(failed))}`;
  if (hasEnded) return `${name} has ended${exitCode === undefined ? '' : ` with exit code ${exitCode}`}.`;
  if (!thread?.stop) {
    const others = stopped.length > 0 ? '' : ' debug_control pauses or ends it, debug_state waits.';
    return `${name} runs.${others}`;
  }
  const { reason } = thread.stop;
  const text = reason === 'exception' ? exception : thread.stop.text;
  const why = text ? `${nameText(reason)}: ${valueText(files.redactor.text(text))}` : nameText(reason);
  const named = thread.name ? ` (${nameText(files.redactor.text(thread.name))})` : '';
  const many = all.length > 1 ? `, thread ${thread.number}${named}` : '';
  const rest = stopped.filter((one) => one !== thread).map((one) => one.number);
  const others = stopped.length > 1 ? ` Other stopped threads: ${rest.join(', ')}.` : '';
  return `${name} has stopped (${why})${many}.${others}`;
}

/** A session has the name that its launch configuration has. */
function hasClosedName({ workspaceFolder }: Debuggee['root'], ctx: Context): boolean {
  const isClosed = (level: SettingLevel) => isClosedSetting('launch', level, workspaceFolder, ctx);
  return isClosed('workspace') || isClosed('folder');
}

/** In one line. */
export const valueText = (value: string): string => visible(cut(value.replaceAll(/\s*\n\s*/g, ' ')));

export const cut = (line: string): string =>
  line.length > MOST_VALUE ? `${line.slice(0, MOST_VALUE)}… (${line.length} characters)` : line;

/** The session with a number; if left out, the only one that goes on, of this agent's or of all. @throws UserError */
export function debuggeeMeant(number: number | undefined, ctx: Context): Debuggee {
  if (number !== undefined) return ctx.debuggees.get(number);
  const running = ctx.debuggees.all.filter(({ hasEnded }) => !hasEnded);
  const own = running.filter(({ author }) => author?.id === ctx.author().id);
  const [only, ...others] = own.length > 0 ? own : running;
  if (only && others.length === 0) return only;
  if (!only) throw new UserError(ctx.debuggees.none);
  const states = [only, ...others].map((one) => stateText(one, one.threads.stopped[0], ctx));
  throw new UserError(`Pass the number of the session. There are several: ${states.join(' ')}`);
}

/** The thread with a number, or the one that has stopped last. @throws UserError if it runs */
export function stoppedThread(debuggee: Debuggee, number: number | undefined): DebugThread {
  const { hasEnded, threads } = debuggee;
  if (hasEnded) throw new UserError(`Session ${debuggee.number} has ended: call debug_start.`);
  const thread = number === undefined ? threads.stopped[0] : threads.all.find((one) => one.number === number);
  if (!thread) {
    const known = threads.all.map((one) => one.number).join(', ');
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
