import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { ProtocolError } from '@modelcontextprotocol/server';
import { CancelledError, UserError } from '../core/errors.ts';
import { switchedOff } from '../core/windowTools.ts';
import type { Call } from '../features/call.ts';
import type { Context } from '../features/context.ts';
import { type Tool, type ToolCallParams, Unchecked, withNote } from '../features/tool.ts';
import { clock } from '../util/clock.ts';
import { approvalOf } from './approval.ts';
import { validate } from './arguments.ts';
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
    if (result instanceof Unchecked) return result;
    const notes = [isRestored ? undefined : NOT_RESTORED, ctx.files.place.note()].filter(Boolean).join(' ');
    return notes ? withNote(result, notes) : result;
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
