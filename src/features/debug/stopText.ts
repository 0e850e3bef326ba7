import { UserError } from '../../core/errors.ts';
import { withoutSource, withoutStack } from '../../services/debug/codeValue.ts';
import type { Debuggee } from '../../services/debug/debuggee.ts';
import {
  type Bounds,
  exceptionOf,
  type Frame,
  framesOf,
  scopesOf,
  type Variable,
} from '../../services/debug/inspect.ts';
import type { DebugThread } from '../../services/debug/threads.ts';
import type { Context } from '../context.ts';
import { outputFrom } from '../run/runText.ts';
import { obstaclesText } from './breakpointText.ts';
import { cut, nameText, stateText, valueText } from './sessionText.ts';

/** Lines around the one where it has stopped. */
const AROUND = 3;
/** Frames that are named. */
const MOST_FRAMES = 10;
/** Variables of a scope, and members of each. */
const MOST_VARIABLES = 50;
/** Variables of all levels. */
const MOST_IN_ALL = 100;
/** UTF-16 units of a value in which text to be redacted is looked for. */
const MOST_SEARCHED = 200_000;
/** UTF-16 units of the output since the last answer. */
const MOST_OUTPUT = 6_000;

export interface Look {
  /** The stopped thread that is shown; the one that has stopped last if left out. */
  thread?: DebugThread | undefined;
  /** 0-based, the innermost first. */
  frame?: number;
  /** Levels of members. */
  depth?: number;
}

/** State, place, frames, variables of one frame, and the output that this agent has not been told yet. */
export async function debuggeeText(debuggee: Debuggee, ctx: Context, look: Look = {}): Promise<string> {
  const thread = look.thread ?? debuggee.threads.stopped[0];
  const frames = thread?.stop ? await framesOf(thread, ctx.vscode.Uri, 0, MOST_FRAMES + 1) : [];
  const exception = thread && (await exceptionText(thread, frames[0], ctx));
  const parts = [stateText(debuggee, thread, ctx, exception)];
  if (thread?.stop) parts.push(...(await stopParts(thread, frames, ctx, look)));
  parts.push(newOutput(debuggee, ctx));
  if (debuggee.hasEnded) parts.push(await obstaclesText(debuggee, ctx));
  return parts.filter(Boolean).join('\n\n');
}

/** What was thrown; undefined if nothing was, or in a file that is closed to the agent. */
async function exceptionText(thread: DebugThread, innermost: Frame | undefined, { files }: Context) {
  if (thread.stop?.reason !== 'exception' || (innermost?.uri && files.isClosed(innermost.uri)))
    return undefined;
  return (await exceptionOf(thread)) ?? thread.stop?.text;
}

export const boundsOf = (depth: number, { files }: Context): Bounds => ({
  depth,
  most: MOST_VARIABLES,
  mostInAll: MOST_IN_ALL,
  hidesCode: files.policy.closesFiles(),
});

async function stopParts(
  thread: DebugThread,
  frames: readonly Frame[],
  ctx: Context,
  { frame: index = 0, depth = 1 }: Look,
) {
  const frame = frames[index] ?? (await framesOf(thread, ctx.vscode.Uri, index, 1))[0];
  if (!frame && index > 0) throw new UserError(`The thread has no frame ${index}.`);
  if (!frame) return ['The debugger names no frame of this thread.'];
  const code = await codeAround(frame, ctx);
  const variables = await variablesText(thread, frame, ctx, depth);
  return [code, `Frames:\n${(await framesText(frames, ctx)).join('\n')}`, variables];
}

/** A line each; several that follow each other outside of the workspace have one. */
async function framesText(frames: readonly Frame[], ctx: Context): Promise<string[]> {
  const lines: string[] = [];
  let others: Frame[] = [];
  const endOthers = (at: number) => {
    const [only] = others;
    if (only && others.length === 1) lines.push(`${at - 1} ${outside(only)}`);
    else if (only)
      lines.push(`${at - others.length} to ${at - 1}: outside of the workspace (${frameName(only.name)}, …)`);
    others = [];
  };
  const shown = frames.slice(0, MOST_FRAMES);
  for (const [at, frame] of shown.entries()) {
    const { name, uri, line, column, isOfOtherText } = frame;
    const location = uri && (await ctx.files.permitted(uri));
    if (location) {
      endOthers(at);
      const place = isOfOtherText ? ' (other code)' : `:${line}:${column}`;
      lines.push(`${at} ${frameName(name)} ${location.path}${place}`);
    } else others.push(uri && ctx.files.isClosed(uri) ? { ...frame, name: '(closed to you)' } : frame);
  }
  endOthers(shown.length);
  if (frames.length > MOST_FRAMES) lines.push('…');
  return lines.map((line) => ctx.files.redactor.text(line));
}

/** The name of a file that the agent may not read stays untold. */
const outside = ({ name, uri, source }: Frame): string =>
  `${frameName(name)} ${uri ? 'outside of the workspace' : nameText(source)}`.trimEnd();

/** Debuggers for JavaScript put the source of a class into the names of its functions. */
const frameName = (name: string): string => nameText(name.replace(/\{.*\}/s, '…'));

/** The lines around the one of a frame, which is marked; or why there are none. */
async function codeAround(
  { uri, source, line, column, isOfOtherText }: Frame,
  { files }: Context,
): Promise<string> {
  if (!uri)
    return `In no file: ${files.redactor.text(nameText(source || 'code without a source'))}:${line}:${column}`;
  const location = await files.permitted(uri);
  if (!location)
    return `In a file that is ${files.isClosed(uri) ? 'closed to you' : 'outside of the workspace'}.`;
  if (isOfOtherText)
    return `${location.path}, at no line of its text: the program runs code that was made of the file, or an older text of it, and has stopped at ${line}:${column} of that.`;
  const from = Math.max(1, line - AROUND);
  const numbers = Array.from({ length: line + AROUND - from + 1 }, (_, at) => from + at);
  const wanted = numbers.map((one) => one - 1);
  const lines = await files.lines(location, wanted).catch(() => new Map<number, string>());
  const shown = numbers
    .filter((one) => lines.has(one - 1))
    .map((one) => `${one === line ? '>' : ' '} ${one}\t${cut(lines.get(one - 1) ?? '')}`);
  return [`${location.path}:${line}`, ...shown].join('\n');
}

async function variablesText(thread: DebugThread, frame: Frame, ctx: Context, depth: number) {
  if (frame.uri && !(await ctx.files.permitted(frame.uri))) return '';
  const scopes = await scopesOf(thread.session, frame, boundsOf(depth, ctx));
  const shown = scopes.filter(({ members }) => members.length > 0);
  return shown
    .map(({ name, members, more }) => `${nameText(name)}:\n${membersText(members, more, ctx.files)}`)
    .join('\n');
}

/**
 * A line for each, indented by level; functions by their names. What is redacted is so before lines are cut: half of a secret is
 * not found.
 */
export function membersText(
  variables: readonly Variable[],
  more: boolean | undefined,
  files: Context['files'],
  indent = '  ',
): string {
  const lines = variables.flatMap(({ name, value, type, members, more: hasMore }) => [
    indent + valueText(files.redactor.text(`${nameText(name)} = ${shownValue(value, type, files, true)}`)),
    ...(members ? [membersText(members, hasMore, files, `${indent}  `)] : []),
  ]);
  return [...lines, ...(more ? [`${indent}…`] : [])].join('\n');
}

/** A value without what may be of a file that is closed to the agent. @param isInList where the source of functions only takes room */
export function shownValue(
  value: string,
  type: string,
  { policy }: Context['files'],
  isInList = false,
): string {
  const whole = value.slice(0, MOST_SEARCHED);
  const isClosing = policy.closesFiles();
  const own = isInList || isClosing ? withoutSource(whole, type) : whole;
  return isClosing ? withoutStack(own) : own;
}

function newOutput(debuggee: Debuggee, ctx: Context): string {
  const { id } = ctx.author();
  const { output, hasEnded, shownLines, root } = debuggee;
  const from = (shownLines.get(id) ?? 0) + 1;
  const shown = outputFrom({ output, result: hasEnded ? {} : undefined }, ctx, from, MOST_OUTPUT);
  shownLines.set(id, output.count - (output.isUnfinished ? 1 : 0));
  const part = partOfOutput(root);
  if (shown) return `Output${part && ` (${part})`}:\n${shown}`;
  return part && hasEnded ? `No new output (${part}).` : '';
}

/** Why the output is not all that the program prints; empty if it may be. */
function partOfOutput({ type, configuration: { console, outputCapture } }: Debuggee['root']): string {
  if (/Terminal$/.test(String(console))) return 'its terminal may have more';
  return type === 'pwa-node' && outputCapture !== 'std'
    ? 'console calls only: outputCapture is not "std"'
    : '';
}
