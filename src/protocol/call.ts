import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { ProtocolError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CancelledError, UserError } from '../core/errors.ts';
import { cutText } from '../core/text/cutText.ts';
import { switchedOff } from '../core/windowTools.ts';
import type { Call } from '../features/call.ts';
import type { Context } from '../features/context.ts';
import { type Tool, withNote } from '../features/tool.ts';
import { approvalOf } from './approval.ts';
import { invalidParams, messageFor, reportError } from './errors.ts';
import type { ServerState } from './state.ts';

/**
 * The one way to a tool: look up, validate, check the access policy, run, shape the result or the error. The tool asks for
 * approval through the call it is given. What it throws becomes a result with `isError`, which the model reads.
 *
 * @throws ProtocolError −32602 where there is no such tool
 */
export async function callTool(
  tools: ReadonlyMap<string, Tool>,
  { name, arguments: given }: { name: string; arguments?: Record<string, unknown> | undefined },
  { ctx, approvals }: Pick<ServerState, 'ctx' | 'approvals'>,
  call: Call,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = tools.get(name);
  if (!tool) throw invalidParams(`Unknown tool "${name}". tools/list names those there are.`);
  const started = performance.now();
  try {
    const requireOn = () => requireAllowed(tool, ctx);
    requireOn();
    const args = validate(tool, given ?? {});
    const waiting = { signal: call.signal, progress: call.progress, requireOn };
    const { requireAsked, ...approver } = approvalOf(tool, args, approvals, waiting);
    const isRestored = await ctx.files.restored();
    const result = await tool.run(args as never, ctx, { ...call, ...approver });
    requireAsked();
    const done = `${name} done in ${since(started)}`;
    ctx.log.debug(done);
    call.log('debug', done);
    return isRestored ? result : withNote(result, NOT_RESTORED);
  } catch (error) {
    if (error instanceof CancelledError || error instanceof ProtocolError) throw error;
    reportError(ctx.log, call, name, error);
    return { content: [{ type: 'text', text: messageFor(error, name) }], isError: true };
  }
}

const NOT_RESTORED =
  'VS Code is still restoring the editors of this window: unsaved text may be missing. Ask again in a few seconds.';

const since = (started: number): string => `${(performance.now() - started).toFixed(1)} ms`;

function requireAllowed(tool: Tool, { switches, files }: Context): void {
  const setting = switches.offBy(tool);
  if (setting) throw new UserError(switchedOff(tool.name, setting));
  files.policy.requireOperation(tool.operation);
}

function validate(tool: Tool, args: Record<string, unknown>): unknown {
  const parsed = tool.input.safeParse(withoutNulls(tool, args));
  if (parsed.success) return parsed.data;
  const problems = cutText(parsed.error.issues.map(describeIssue).join('; '), LONGEST_COMPLAINT);
  throw new UserError(`Invalid arguments for ${tool.name}: ${problems}.`);
}

/** Without `null` for what may be left out, as models write it that always name every argument. */
function withoutNulls({ input: { shape } }: Tool, args: Record<string, unknown>): Record<string, unknown> {
  const isLeftOut = ([name, value]: [string, unknown]) => {
    const schema = value === null && Object.hasOwn(shape, name) ? shape[name] : undefined;
    return schema && z.safeParse(schema, undefined).success && !z.safeParse(schema, null).success;
  };
  return Object.fromEntries(Object.entries(args).filter((entry) => !isLeftOut(entry)));
}

/** Arguments may be wrong in a million ways at once; so many UTF-16 units of them help. */
const LONGEST_COMPLAINT = 1000;

/** One problem in a sentence: where, and what was expected. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return `${where ? `${where} has` : 'there is'} no argument ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  }
  return where ? `"${where}": ${issue.message}` : issue.message;
}
