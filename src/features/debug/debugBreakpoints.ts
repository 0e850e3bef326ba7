import type * as vscode from 'vscode';
import * as z from 'zod';
import type { Approver } from '../../access/consent/types.ts';
import { UserError } from '../../core/messages.ts';
import { bindingsOf, waitForBinding } from '../../services/debug/breakpoints.ts';
import { ask } from '../../services/debug/inspect.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { lineTitle, valueText } from './sessionText.ts';

const input = z.strictObject({
  action: z.enum(['set', 'list', 'remove']).default('set'),
  path: z.string().min(1).optional(),
  line: args.line.optional(),
  text: args.query.min(1).optional().describe('Finds the line'),
  function: z.string().min(1).optional(),
  condition: z.string().min(1).optional(),
  hitCount: z.string().min(1).optional(),
  log: z.string().min(1).optional().describe('Printed, with {expressions}, instead of a stop'),
  exceptions: z.array(args.query).max(100).optional().describe('Filters, such as "all"'),
});
type Given = z.output<typeof input>;

export const debugBreakpoints = defineTool({
  name: 'debug_breakpoints',
  title: 'Breakpoints',
  description:
    'Sets a breakpoint at a line, function or exception, or a log point; lists, removes. Use it before debug_start.',
  group: 'debug',
  needs: 'debuggers',
  hints: { search: 'set a breakpoint, logpoint or exception breakpoint' },
  operation: 'run',
  annotations: { ...STARTS_PROGRAMS, openWorldHint: false },
  input,
  onlyLooks: ({ action }) => action !== 'set',
  async run(given, ctx, call) {
    if (given.action === 'list') return text(await listed(ctx));
    const location = given.path === undefined ? undefined : await ctx.files.locateMeant(given.path);
    if (given.action === 'remove') return text(await removed(given, location, ctx));
    if (given.exceptions) return await setFilters(given.exceptions, ctx, call.approve);
    const breakpoint = await wanted(given, location, ctx);
    const { condition, hitCount, log } = given;
    await replacedBy(breakpoint, ctx);
    const isPlain = given.function === undefined && !condition && !hitCount && !log;
    await call.approve({
      ...{ kind: 'debug', intent: { type: 'breakpoint' }, subject: await titleOf(breakpoint, ctx) },
      ...(isPlain && { grant: 'breakpoints' }),
      arguments: { ...(condition && { condition }), ...(hitCount && { hitCount }), ...(log && { log }) },
    });
    const before = await replacedBy(breakpoint, ctx); // the user may have set one meanwhile
    if (before) ctx.breakpoints.remove([before]);
    ctx.breakpoints.add(breakpoint, ctx.author());
    const sessions = given.function === undefined ? running(ctx).flatMap((one) => [...one.sessions]) : [];
    await waitForBinding(breakpoint, sessions, call.signal);
    return text(`Set: ${await lineOf(breakpoint, ctx)}`);
  },
});

/** The agent's own breakpoint of that line: VS Code keeps one. @throws UserError if there is one of somebody else */
async function replacedBy(
  breakpoint: vscode.Breakpoint,
  ctx: Context,
): Promise<vscode.Breakpoint | undefined> {
  const { vscode, breakpoints } = ctx;
  const before =
    breakpoint instanceof vscode.SourceBreakpoint ? breakpoints.at(breakpoint.location) : undefined;
  if (before && breakpoints.ownerOf(before)?.id !== ctx.author().id)
    throw new UserError(
      `VS Code keeps one breakpoint for a line, and there is one: ${await lineOf(before, ctx)}. Take another line, or ask the user.`,
    );
  return before;
}

const running = ({ debuggees }: Context) => debuggees.all.filter(({ hasEnded }) => !hasEnded);

/** @throws UserError if no place is meant, or several */
async function wanted(given: Given, location: Location | undefined, ctx: Context) {
  const { vscode } = ctx;
  const more = [true, given.condition, given.hitCount, given.log] as const;
  if (given.function !== undefined) return new vscode.FunctionBreakpoint(given.function, ...more);
  if (!location) throw new UserError('Pass path with line or text, function, or exceptions.');
  const line = given.line ?? (await lineWith(given.text, location, ctx));
  const count = (await ctx.files.loadDocument(location)).lineCount;
  if (line > count) throw new UserError(`${location.path} has ${count} lines.`);
  return new vscode.SourceBreakpoint(
    new vscode.Location(location.uri, new vscode.Position(line - 1, 0)),
    ...more,
  );
}

/** 1-based. @throws UserError if not exactly one line has the text */
async function lineWith(part: string | undefined, location: Location, { files }: Context): Promise<number> {
  if (part === undefined) throw new UserError('Pass line, or text that stands on the line.');
  const { path } = location;
  const found = await files.read(location);
  if (found.kind !== 'text') throw new UserError(`${path} is not text.`);
  const lines = found.text.split('\n').flatMap((line, index) => (line.includes(part) ? [index + 1] : []));
  const [only, ...others] = lines;
  if (only !== undefined && others.length === 0) return only;
  throw new UserError(
    only === undefined
      ? `No line of ${path} has "${part}".`
      : `Several lines of ${path} have "${part}": ${lines.slice(0, 20).join(', ')}. Pass line.`,
  );
}

async function listed(ctx: Context): Promise<string> {
  const lines = await Promise.all(ctx.breakpoints.all.map((one) => lineOf(one, ctx)));
  const filters = ctx.breakpoints.filtersOf(ctx.author());
  const exceptions = filters.length > 0 ? [`exceptions: ${filters.join(', ')} (yours)`] : [];
  return [...lines.filter(Boolean), ...exceptions].join('\n') || 'There are no breakpoints.';
}

/** As in `src/a.ts:4 return sum; (yours; bound)`; empty if it is in a file that the agent may not see. */
async function lineOf(breakpoint: vscode.Breakpoint, ctx: Context): Promise<string> {
  const title = await titleOf(breakpoint, ctx);
  if (!title) return '';
  const { enabled, condition, hitCondition, logMessage } = breakpoint;
  const owner = ctx.breakpoints.ownerOf(breakpoint);
  const whose = owner ? (owner.id === ctx.author().id ? 'yours' : `of ${owner.agent}`) : "the user's";
  const when = [condition && `if ${condition}`, hitCondition && `hits ${hitCondition}`];
  const logs = logMessage && `logs ${logMessage}`;
  const bound = await boundTexts(breakpoint, ctx);
  const details = [whose, !enabled && 'off', ...when, logs, ...bound].filter(Boolean);
  const { redactor } = ctx.files;
  const told = details.map((one) => valueText(redactor.text(String(one))));
  return `${redactor.text(title)} (${told.join('; ')})`;
}

async function boundTexts(breakpoint: vscode.Breakpoint, ctx: Context): Promise<string[]> {
  const debuggees = running(ctx);
  if (debuggees.length === 0) return ['bound when a session begins'];
  if (breakpoint instanceof ctx.vscode.FunctionBreakpoint)
    return debuggees.some(({ hasFunctions }) => hasFunctions)
      ? ['VS Code does not tell whether it is bound']
      : ['not bound: this debugger has no function breakpoints'];
  const bindings = await bindingsOf(
    breakpoint,
    debuggees.flatMap((one) => [...one.sessions]),
  );
  const bound = bindings.find(({ verified }) => verified);
  if (bound) return [bound.line === undefined ? 'bound' : `bound in line ${bound.line}`];
  const message = bindings.find((one) => one.message)?.message;
  return [`not bound${message ? `: ${message}` : ': no session has loaded this code yet'}`];
}

async function titleOf(breakpoint: vscode.Breakpoint, { vscode, files }: Context): Promise<string> {
  if (breakpoint instanceof vscode.FunctionBreakpoint) return `function ${breakpoint.functionName}`;
  if (!(breakpoint instanceof vscode.SourceBreakpoint)) return 'data';
  const { uri, range } = breakpoint.location;
  const location = await files.permitted(uri);
  if (!location) return '';
  return await lineTitle(location, range.start.line + 1, files);
}

/** Those of this agent in a place, or all of this agent's. The user's stay. @throws UserError if there are none */
async function removed(given: Given, location: Location | undefined, ctx: Context): Promise<string> {
  const { vscode, breakpoints } = ctx;
  const line = location && given.text !== undefined ? await lineWith(given.text, location, ctx) : given.line;
  const isMeant = (one: vscode.Breakpoint): boolean => {
    if (given.function !== undefined)
      return one instanceof vscode.FunctionBreakpoint && one.functionName === given.function;
    if (!location) return true;
    if (!(one instanceof vscode.SourceBreakpoint) || `${one.location.uri}` !== `${location.uri}`)
      return false;
    return line === undefined || one.location.range.start.line === line - 1;
  };
  const own = breakpoints.of(ctx.author().id).filter(isMeant);
  if (own.length === 0)
    throw new UserError("None of your breakpoints is there. The user's are theirs: ask them.");
  breakpoints.remove(own);
  return `Removed ${own.length}.`;
}

/** @throws UserError if a running session does not know one */
async function setFilters(filters: readonly string[], ctx: Context, approve: Approver['approve']) {
  await approve({ kind: 'debug', intent: { type: 'exceptions' }, subject: filters.join(', ') || 'none' });
  const author = ctx.author();
  ctx.breakpoints.filter(author, filters);
  const own = running(ctx).filter((one) => one.author?.id === author.id);
  // Sent as VS Code last did: ours are added on the way.
  const chosen = own.flatMap((one) => [...one.chosen]);
  await Promise.all(chosen.map(([session, request]) => ask(session, 'setExceptionBreakpoints', request)));
  const known = [...new Set(own.flatMap((one) => one.filters))].join(', ');
  const names = known ? ` This debugger has the filters ${known}.` : '';
  return text(
    `Your sessions stop at exceptions of ${filters.join(', ') || 'the filters that the user has chosen only'}.${names}`,
  );
}
