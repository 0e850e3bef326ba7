import type * as vscode from 'vscode';
import * as z from 'zod';
import type { Approver } from '../../access/consent/types.ts';
import { UserError } from '../../core/errors.ts';
import { ask } from '../../services/debug/inspect.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { lineOf, running, titleOf } from './breakpointText.ts';
import { atLine, atPlace, lineWith, place, requireFree } from './newBreakpoints.ts';

const input = z.strictObject({
  action: z.enum(['set', 'list', 'remove']).default('set'),
  ...atLine,
  function: z.string().min(1).optional(),
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
    const breakpoint =
      given.function === undefined
        ? await atPlace(given, location, ctx)
        : new ctx.vscode.FunctionBreakpoint(given.function, true, given.condition, given.hitCount, given.log);
    const { condition, hitCount, log } = given;
    await requireFree(breakpoint, ctx);
    const isPlain = given.function === undefined && !condition && !hitCount && !log;
    await call.approve({
      kind: 'debug',
      intent: { type: 'breakpoint' },
      subject: await titleOf(breakpoint, ctx),
      ...(isPlain && { grant: 'breakpoints' }),
      arguments: { ...(condition && { condition }), ...(hitCount && { hitCount }), ...(log && { log }) },
    });
    await place(breakpoint, ctx);
    for (const one of running(ctx)) one.wanted.add(breakpoint.id);
    await Promise.all(running(ctx).map((one) => one.waitForBinding(breakpoint, call.signal)));
    return text(`Set: ${await lineOf(breakpoint, ctx)}`);
  },
});

async function listed(ctx: Context): Promise<string> {
  const lines = await Promise.all(ctx.breakpoints.all.map((one) => lineOf(one, ctx)));
  const filters = ctx.breakpoints.filtersOf(ctx.author());
  const exceptions = filters.length > 0 ? [`exceptions: ${filters.join(', ')} (yours)`] : [];
  return [...lines.filter(Boolean), ...exceptions].join('\n') || 'There are no breakpoints.';
}

/** Removes this agent's breakpoints in a place, or all. The user's stay. @throws UserError if there are none */
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
  if (own.length === 0) throw new UserError('You have no breakpoint there. Ask the user to remove theirs.');
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
    `Your sessions stop at exceptions that the user has chosen${filters.length > 0 ? `, and at ${filters.join(', ')}` : ' only'}.${names}`,
  );
}
