import type { HookEvent, HookReply } from './event.ts';
import { HOOK_PROGRAMS, type HookProgram } from './hookPrograms.ts';

/** What a hook prints, in the form of its agent; empty if there is nothing to say. Never asks an agent twice to go on. */
export function hookAnswerOf({ agent, moment, isContinued }: HookEvent, reply: HookReply): string {
  const { answers, events }: HookProgram = HOOK_PROGRAMS[agent];
  const { context, goOn, permission } = reply;
  const output = (fields: object) =>
    answers === 'flat' ? fields : { hookSpecificOutput: { hookEventName: events[moment], ...fields } };
  if (context && (moment === 'prompt' || moment === 'after' || moment === 'failed'))
    return JSON.stringify(answers === 'plain' ? { context } : output({ additionalContext: context }));
  if (context && moment === 'wait') return answers === 'plain' ? JSON.stringify({ context }) : context;
  if (goOn && moment === 'stop' && !isContinued)
    return JSON.stringify(answers === 'plain' ? { context: goOn } : { decision: 'block', reason: goOn });
  if (!permission || moment !== 'permission') return '';
  const { isAllowed, reason } = permission;
  const decision = isAllowed
    ? { behavior: 'allow' }
    : { behavior: 'deny', ...(reason && { message: reason }) };
  return JSON.stringify(answers === 'flat' ? decision : output({ decision }));
}
