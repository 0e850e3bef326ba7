import type { HookAgent, HookEvent, HookReply } from '../../core/hooks/event.ts';
import type { Context } from '../context.ts';

/** What a window does with what agents' hooks report. */
export class AgentHooks {
  /** When the last event of each agent came, in milliseconds since the epoch. */
  readonly lastOf = new Map<HookAgent, number>();

  /** @param ctx of the agent whose event it is. @param signal aborted when nobody waits for the reply any more */
  async take(event: HookEvent, _ctx: Context, _signal: AbortSignal): Promise<HookReply> {
    this.lastOf.set(event.agent, Date.now());
    return {};
  }
}
