import { isPlainChange } from '../access/consent/plainChange.ts';
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
  let accepted: string | undefined;
  /** The user has just accepted it in a diff editor, which may hide differences in white space. */
  const isAccepted = ({ everyTime, diffs = [] }: PlannedAction) =>
    !everyTime && diffs.length === 1 && diffs.every((diff) => diff.path === accepted && isPlainChange(diff));
  return {
    async propose(proposal) {
      const decision = await approvals.propose(
        proposal,
        request({ kind: 'edit', subject: '' }).tool,
        waiting,
      );
      isAsked = true;
      if (decision && 'accepted' in decision) accepted = proposal.path;
      return decision;
    },
    async approve(action) {
      if (isAccepted(action)) {
        approvals.isSettled(request(action), waiting);
        return 'allowed';
      }
      const consent = await approvals.require(request(action), waiting);
      isAsked = true;
      return consent;
    },
    inquire: (inquiry) => approvals.inquire(inquiry, waiting),
    isApproved: (action) => approvals.isSettled(request(action), waiting) || isAccepted(action),
    requireAsked() {
      if (isNeeded && !isAsked) throw new Error(`${name} answered without asking for approval`);
    },
  };
}
