import type { AgentApprovals, Approver, PlannedAction, WaitingCall } from '../access/consent/types.ts';
import type { Tool } from '../features/tool.ts';

/**
 * The one place where tools ask for approval. A tool says what it is about to do; nothing else lets an operation other
 * than reading happen. `requireAsked` is called when the tool has answered.
 *
 * @throws Error if the tool asks though it only looks, or answers without having asked: a bug of the tool
 */
export function approvalOf(
  tool: Tool,
  args: unknown,
  approvals: AgentApprovals,
  waiting: WaitingCall,
): Approver & { requireAsked(): void } {
  const { name } = tool;
  const isNeeded = tool.operation !== 'read' && tool.onlyLooks?.(args as never) !== true;
  let isAsked = false;
  const request = (action: PlannedAction) => {
    if (!isNeeded) throw new Error(`${name} asks for approval of a call that it declares to only look`);
    return { ...action, tool: name };
  };
  return {
    async approve(action) {
      const consent = await approvals.require(request(action), waiting);
      isAsked = true;
      return consent;
    },
    isApproved: (action) => approvals.isSettled(request(action), waiting),
    requireAsked() {
      if (isNeeded && !isAsked) throw new Error(`${name} answered without asking for approval`);
    },
  };
}
