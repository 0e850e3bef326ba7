/** Permission for what an agent would do with a tool of its own: asked in the editor, for once. */
import { CancelledError, UserError } from '../../core/errors.ts';
import type { HookEvent, HookReply } from '../../core/hooks/event.ts';
import { settingValue } from '../../core/settings.ts';
import { timeout } from '../../util/clock.ts';
import type { Context } from '../context.ts';
import { plannedBy } from './proposal.ts';

/** How long the question may stand, in milliseconds: a hook waits for a minute, with the way back. */
const WHILE_WAITING = 55_000;

/**
 * Asks the user, while the window has the focus, and answers nothing if they do not: then the agent asks in its terminal.
 *
 * @param signal withdraws the question
 */
export async function askPermission(event: HookEvent, ctx: Context, signal: AbortSignal): Promise<HookReply> {
  const { workspace, window } = ctx.vscode;
  if (settingValue(workspace, 'hooks.permission') !== true || !window.state.focused) return {};
  const limit = AbortSignal.any([signal, timeout(WHILE_WAITING)]);
  const answer = await ask(event, ctx, limit).catch(unlessBug);
  if (!answer || 'dismissed' in answer) return {};
  if ('allow' in answer) return { permission: { isAllowed: true } };
  return { permission: { isAllowed: false, ...(answer.deny && { reason: answer.deny }) } };
}

async function ask(event: HookEvent, ctx: Context, signal: AbortSignal) {
  const action = await plannedBy(event, ctx);
  if (!action || signal.aborted) return undefined;
  const { agent, number } = ctx.author();
  const asker = { agent, ...(number !== undefined && { number }), directory: event.cwd };
  const request = { ...action, tool: event.tool ?? event.agent };
  const asking = { turn: ctx, agent: event.agent, asker: () => asker, time: WHILE_WAITING };
  return ctx.approvals.askOwn(request, asking, { signal });
}

/** A closed or unreadable file, a withdrawn question and a window that closes are no answer. */
function unlessBug(error: unknown): undefined {
  if (error instanceof UserError || error instanceof CancelledError) return undefined;
  throw error;
}
