import type {
  AgentApprovals,
  Approver,
  Consent,
  PlannedAction,
  WaitingCall,
} from '../access/consent/types.ts';
import type { Tool } from '../features/tool.ts';

/**
 * The one place where tools ask for approval. A tool says what it is about to do; nothing else lets an operation other
 * than reading happen.
 */
export class CallApproval implements Approver {
  readonly #tool: Tool;
  readonly #approvals: AgentApprovals;
  readonly #waiting: WaitingCall;
  readonly #needed: boolean;
  #isAsked = false;

  constructor(tool: Tool, args: unknown, approvals: AgentApprovals, waiting: WaitingCall) {
    this.#tool = tool;
    this.#approvals = approvals;
    this.#waiting = waiting;
    this.#needed = tool.operation !== 'read' && tool.onlyLooks?.(args as never) !== true;
  }

  readonly approve = async (action: PlannedAction): Promise<Consent> => {
    const consent = await this.#approvals.require(this.#request(action), this.#waiting);
    this.#isAsked = true;
    return consent;
  };

  readonly isApproved = (action: PlannedAction): boolean =>
    this.#approvals.isSettled(this.#request(action), this.#waiting);

  /** Checked when the tool has answered. @throws Error if it was to ask and has not: a bug of the tool */
  requireAsked(): void {
    if (this.#needed && !this.#isAsked)
      throw new Error(`${this.#tool.name} answered without asking for approval`);
  }

  #request(action: PlannedAction) {
    const { name } = this.#tool;
    if (!this.#needed) throw new Error(`${name} asks for approval of a call that it declares to only look`);
    return { ...action, tool: name };
  }
}
