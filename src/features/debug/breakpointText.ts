import type * as vscode from 'vscode';
import type { Debuggee } from '../../services/debug/debuggee.ts';
import type { Context } from '../context.ts';
import { lineTitle, valueText } from './sessionText.ts';

/** How breakpoints are named, and what is said of those that stop nothing. */

/** Breakpoints that are named in the answer of a start or an end. */
const MOST_NAMED = 10;

export const running = ({ debuggees }: Context) => debuggees.all.filter(({ hasEnded }) => !hasEnded);

/** As in `src/a.ts:4 return sum; (yours; bound)`; empty if it is in a file that the agent may not see. */
export async function lineOf(breakpoint: vscode.Breakpoint, ctx: Context): Promise<string> {
  const title = await titleOf(breakpoint, ctx);
  if (!title) return '';
  const { condition, hitCondition, logMessage } = breakpoint;
  const owner = ctx.breakpoints.ownerOf(breakpoint);
  const whose = owner ? (owner.id === ctx.author().id ? 'yours' : `of ${owner.agent}`) : "the user's";
  const when = [condition && `if ${condition}`, hitCondition && `hits ${hitCondition}`];
  const logs = logMessage && `logs ${logMessage}`;
  const details = [whose, ...when, logs, boundText(breakpoint, ctx)].filter(Boolean);
  const { redactor } = ctx.files;
  const told = details.map((one) => valueText(redactor.text(String(one))));
  return `${redactor.text(title)} (${told.join('; ')})`;
}

export async function titleOf(breakpoint: vscode.Breakpoint, { vscode, files }: Context): Promise<string> {
  if (breakpoint instanceof vscode.FunctionBreakpoint) return `function ${breakpoint.functionName}`;
  if (!(breakpoint instanceof vscode.SourceBreakpoint)) return 'data';
  const { uri, range } = breakpoint.location;
  const location = await files.permitted(uri);
  if (!location) return '';
  return await lineTitle(location, range.start.line + 1, files);
}

/** In the sessions that run, or else in the one that has ended last. */
function boundText(breakpoint: vscode.Breakpoint, ctx: Context): string {
  const debuggees = running(ctx);
  const [last] = ctx.debuggees.all;
  if (!breakpoint.enabled) return 'off';
  if (debuggees.length === 0) {
    const why = last?.breakpointsAtEnd.includes(breakpoint.id) && obstacle(breakpoint, last, ctx);
    return `${why ? `in session ${last?.number}: ${why}; ` : ''}bound when a session begins`;
  }
  const bound = debuggees
    .flatMap(({ bindings }) => bindings.of(breakpoint) ?? [])
    .find((one) => one.verified);
  if (bound) return bound.boundLine === undefined ? 'bound' : `bound in line ${bound.boundLine}`;
  const why = debuggees.map((one) => obstacle(breakpoint, one, ctx)).find(Boolean);
  return why ?? `not bound: ${UNLOADED}`;
}

/**
 * Why a breakpoint stops nothing in a session; undefined if it could.
 *
 * @param isEarly the session goes on: its code may not be loaded yet
 */
function obstacle(
  breakpoint: vscode.Breakpoint,
  { root, hasFunctions, hasEnded, bindings, complaints }: Debuggee,
  { vscode }: Context,
  isEarly = false,
): string | undefined {
  if (!breakpoint.enabled) return 'off';
  if (root.configuration.noDebug) return 'noDebug switches breakpoints off';
  if (breakpoint instanceof vscode.FunctionBreakpoint && hasFunctions === false)
    return 'this debugger has no function breakpoints';
  const known = bindings.of(breakpoint);
  if (known?.length === 0) return UNSENT;
  const { condition, hitCondition } = breakpoint;
  const texts = [condition, hitCondition].filter((text) => text !== undefined);
  const complaint =
    texts.length > 0 &&
    complaints.find((one) => texts.some((text) => one.includes(`"${text}"`)) || OF_ALL.test(one));
  if (complaint) return `the debugger says: ${complaint}`;
  if (isEarly || known?.some(({ wasBound }) => wasBound)) return undefined;
  const message = known?.find((one) => one.message)?.message ?? '';
  return `${hasEnded ? 'never' : 'not'} bound: ${/^(unbound breakpoint)?$/i.test(message) ? UNLOADED : message}`;
}

const UNLOADED = 'no code of this file was loaded, or the debugger knows it by another path';

/** Does not name the condition that it is about. */
const OF_ALL = /breakpoint condition error/i;

const UNSENT =
  'VS Code has not sent it to the debugger: the user has switched breakpoints off, or it waits for another one';

/** What of this agent could not stop a session, with the reasons: as far as that is sure at the start, or all of it at the end. */
export async function obstaclesText(debuggee: Debuggee, ctx: Context): Promise<string> {
  const { hasEnded, failed } = debuggee;
  if (failed !== undefined) return '';
  const lines = ctx.breakpoints.of(ctx.author().id).map(async (one) => {
    const why = obstacle(one, debuggee, ctx, !hasEnded);
    const title = why && isFor(one, debuggee, ctx) && (await titleOf(one, ctx));
    return title ? `${title} (${valueText(why)})` : '';
  });
  const all = [...(await Promise.all(lines)), exceptionObstacle(debuggee, ctx)].filter(Boolean);
  if (all.length === 0) return '';
  const rest = all.length > MOST_NAMED ? `\n  and ${all.length - MOST_NAMED} more` : '';
  const list = all.slice(0, MOST_NAMED).map((one) => `  ${ctx.files.redactor.text(one)}`);
  return `${hasEnded ? 'Could not stop it' : 'Cannot stop it'}:\n${list.join('\n')}${rest}`;
}

/** Not if it was set for other programs only, or has been bound in others only. */
function isFor(breakpoint: vscode.Breakpoint, debuggee: Debuggee, { debuggees }: Context): boolean {
  const known = debuggees.all.filter(
    ({ wanted, bindings }) =>
      wanted.has(breakpoint.id) || bindings.of(breakpoint)?.some(({ wasBound }) => wasBound),
  );
  return known.length === 0 || known.some((one) => programOf(one) === programOf(debuggee));
}

const programOf = ({ root: { configuration, name } }: Debuggee): unknown =>
  configuration.program ?? configuration.module ?? name;

/** Why this agent's exception filters may not stop the program; empty if they may. */
function exceptionObstacle(debuggee: Debuggee, ctx: Context): string {
  const { root, agent, filters, hasEnded, exitCode = 0, threads } = debuggee;
  const own = ctx.breakpoints.filtersOf(ctx.author());
  if (own.length === 0 || agent?.id !== ctx.author().id) return '';
  const title = `exceptions: ${own.join(', ')}`;
  if (root.configuration.noDebug) return `${title} (noDebug switches breakpoints off)`;
  const others = filters.filter((one) => !own.includes(one));
  const unknown = filters.length > 0 ? own.filter((one) => !filters.includes(one)) : [];
  if (unknown.length > 0) return `${title} (this debugger has the filters ${filters.join(', ')})`;
  if (!hasEnded || exitCode === 0 || threads.hasStoppedAtException || others.length === 0) return '';
  return `${title} (an error that something handles, such as Node in an ECMAScript module or a promise, is none of these; this debugger also has ${others.join(', ')})`;
}
