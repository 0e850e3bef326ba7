import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { ProtocolError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CancelledError, UserError } from '../core/errors.ts';
import { cutText } from '../core/text/cutText.ts';
import { switchedOff } from '../core/windowTools.ts';
import type { Call } from '../features/call.ts';
import type { Context } from '../features/context.ts';
import { type Tool, type ToolCallParams, Unchecked, withNote } from '../features/tool.ts';
import { clock } from '../util/clock.ts';
import { approvalOf } from './approval.ts';
import { invalidParams, messageFor, reportError } from './errors.ts';
import type { ServerState } from './state.ts';

/**
 * Every tool call: validate, check the access policy, run, shape the result or error. The tool asks for approval
 * through its `call`. Its errors become results with `isError`, because the model reads those.
 *
 * @throws ProtocolError −32602 if there is no such tool; CancelledError
 */
export async function callTool(
  tool: Tool | undefined,
  { name, arguments: given }: ToolCallParams,
  { ctx, approvals }: Pick<ServerState, 'ctx' | 'approvals'>,
  call: Call,
): Promise<CallToolResult | InputRequiredResult | Unchecked> {
  if (!tool) throw invalidParams(`Unknown tool "${name}". See tools/list.`);
  const started = clock.now();
  try {
    const requireOn = () => requireAllowed(tool, ctx);
    requireOn();
    const args = validate(tool, given ?? {});
    const waiting = { signal: call.signal, progress: call.progress, requireOn };
    const { requireAsked, ...approver } = approvalOf(tool, args, approvals, waiting);
    const isRestored = await ctx.files.restored();
    const goesOn = tool.goesOn?.(args as never, call) === true;
    const result = await tool.run(args as never, ctx, { ...call, ...approver, tool: name });
    if (!goesOn) requireAsked();
    const done = `${name} done in ${since(started)}`;
    ctx.log.debug(done);
    call.log('debug', done);
    return isRestored || result instanceof Unchecked ? result : withNote(result, NOT_RESTORED);
  } catch (error) {
    if (error instanceof CancelledError || error instanceof ProtocolError) throw error;
    reportError(ctx.log, call, name, error);
    return { content: [{ type: 'text', text: messageFor(error, name) }], isError: true };
  }
}

const NOT_RESTORED =
  'VS Code is still restoring the editors of this window: unsaved text may be missing. Ask again in a few seconds.';

const since = (started: number): string => `${(clock.now() - started).toFixed(1)} ms`;

function requireAllowed(tool: Tool, ctx: Context): void {
  const { switches, files } = ctx;
  const setting = switches.offBy(tool);
  if (setting) throw new UserError(switchedOff(tool.name, setting));
  files.policy.requireOperation(tool.operation);
  tool.requireOn?.(ctx);
}

function validate(tool: Tool, args: Record<string, unknown>): unknown {
  const parsed = tool.input.safeParse(withoutNulls(tool, args));
  if (parsed.success) return parsed.data;
  const problems = cutText(parsed.error.issues.map(describeIssue).join('; '), LONGEST_COMPLAINT);
  throw new UserError(`Invalid arguments for ${tool.name}: ${problems}.`);
}

/** Drops `null` for optional arguments: some models always write every argument. */
function withoutNulls({ input: { shape } }: Tool, args: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(args).includes(null)) return args;
  const isLeftOut = ([name, value]: [string, unknown]) => {
    const schema = value === null && Object.hasOwn(shape, name) ? shape[name] : undefined;
    return schema && z.safeParse(schema, undefined).success && !z.safeParse(schema, null).success;
  };
  return Object.fromEntries(Object.entries(args).filter((entry) => !isLeftOut(entry)));
}

/** Most UTF-16 units of the message: a million arguments may be wrong at once. */
const LONGEST_COMPLAINT = 1000;

/** One problem: the argument and what was expected. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return `${where ? `${where} has` : 'there is'} no argument ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  }
  return where ? `"${where}": ${issue.message}` : issue.message;
}
