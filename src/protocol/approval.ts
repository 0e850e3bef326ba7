import type {
  AgentApprovals,
  Approver,
  Inquirer,
  PlannedAction,
  WaitingCall,
} from '../access/consent/types.ts';
import type { Tool } from '../features/tool.ts';

/**
 * The one place where tools ask for approval: every operation other than reading needs it. `requireAsked` is called when
 * the tool has answered.
 *
 * @throws Error if a read-only call asks, or another call answers without asking: a bug in the tool
 */
export function approvalOf(
  tool: Tool,
  args: unknown,
  approvals: AgentApprovals,
  waiting: WaitingCall,
): Approver & Inquirer & { requireAsked(): void } {
  const { name } = tool;
  const isNeeded = tool.operation !== 'read' && tool.onlyLooks?.(args as never) !== true;
  let isAsked = false;
  const request = (action: PlannedAction) => {
    if (!isNeeded) throw new Error(`${name} asks for approval of a read-only call`);
    return { ...action, tool: name };
  };
  return {
    async approve(action) {
      const consent = await approvals.require(request(action), waiting);
      isAsked = true;
      return consent;
    },
    inquire: (inquiry) => approvals.inquire(inquiry, waiting),
    isApproved: (action) => approvals.isSettled(request(action), waiting),
    requireAsked() {
      if (isNeeded && !isAsked) throw new Error(`${name} answered without asking for approval`);
    },
  };
}
