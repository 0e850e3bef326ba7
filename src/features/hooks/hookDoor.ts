import type { HookEvent, HookReply } from '../../core/hooks/event.ts';
import { hookAnswerOf } from '../../core/hooks/hookAnswer.ts';
import { HOOK_WAITS } from '../../core/hooks/hookPrograms.ts';
import { within } from '../../util/clock.ts';
import type { Context } from '../context.ts';
import type { AgentHooks } from './agentHooks.ts';

/** Sessions of which it is known that they go on because of us. */
const MOST_CONTINUED = 100;

/** Where the events of hooks come in, by a connection of their own or by a tool of Claude Code. */
export class HookDoor {
  readonly #hooks: Pick<AgentHooks, 'take'>;
  /** By session: the reason why it goes on. Not every agent tells in the next event that it does only because of a hook. */
  readonly #continued = new Map<string, string>();

  constructor(hooks: Pick<AgentHooks, 'take'>) {
    this.#hooks = hooks;
  }

  /** What the hook prints: nothing where the window is not trusted, or too busy. Never rejects. */
  async answer(event: HookEvent, ctx: Context, signal: AbortSignal): Promise<string> {
    if (!ctx.vscode.workspace.isTrusted) return '';
    const over = new AbortController();
    const isContinued = this.#isContinued(event);
    const marked: HookEvent = { ...event, ...(isContinued && { isContinued }) };
    try {
      const taken = this.#hooks.take(marked, ctx, AbortSignal.any([signal, over.signal]));
      const reply = await within(taken, HOOK_WAITS[event.moment], {} as HookReply);
      const answer = hookAnswerOf(marked, reply);
      if (event.moment === 'stop' && answer !== '') this.#continue(event, reply);
      return answer;
    } catch (error) {
      if (!signal.aborted) ctx.log.error(error as Error);
      return '';
    } finally {
      over.abort();
    }
  }

  /** A prompt that begins with our reason is our own, as Copilot tells it; any other begins a turn of the user. */
  #isContinued({ moment, session, prompt = '', isContinued = false }: HookEvent): boolean {
    const reason = this.#continued.get(session);
    const isOurs =
      reason !== undefined &&
      (moment !== 'prompt' || (prompt !== '' && onOneLine(reason).startsWith(prompt)));
    if (moment === 'stop' || (moment === 'prompt' && !isOurs)) this.#continued.delete(session);
    return isContinued || isOurs;
  }

  #continue({ session }: HookEvent, { goOn = '' }: HookReply): void {
    this.#continued.set(session, goOn);
    const [oldest] = this.#continued.keys();
    if (oldest !== undefined && this.#continued.size > MOST_CONTINUED) this.#continued.delete(oldest);
  }
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
