import type { HookAgent, HookMoment } from '../../core/hooks/event.ts';
import { HOOK_PROGRAMS, HOOK_WAITS, type HookProgram } from '../../core/hooks/hookPrograms.ts';
import type { Shell } from '../../core/shell.ts';
import { type HookStart, shimLine } from '../program.ts';

/** One of our hooks in an agent's configuration. */
export interface Hook {
  agent: HookAgent;
  moment: HookMoment;
  /** As the agent names it. */
  event: string;
  /** Its own tools that write or run something; other tools start no process. */
  matcher: { matcher?: string };
  /** In the agent's unit. */
  limit: number;
}

/** Least seconds of a time limit: a busy machine takes its time to start a process. */
const LEAST = 5;

/** Hooks that an agent has events for. */
export function hooksOf(agent: HookAgent): Hook[] {
  const { events, tools, unit }: HookProgram = HOOK_PROGRAMS[agent];
  const entries = Object.entries(events) as [HookMoment, string][];
  return entries
    .filter(([moment]) => moment !== 'wait')
    .map(([moment, event]) => ({
      agent,
      moment,
      event,
      matcher: moment === 'prompt' || moment === 'stop' ? {} : { matcher: tools },
      limit: Math.max(LEAST, HOOK_WAITS[moment] / 1000) * (unit === 'ms' ? 1000 : 1),
    }));
}

/** The line that an agent runs. Slashes in the path of the shim need no quotes in any shell of Windows. */
export const hookLine = ({ agent, event }: Hook, { launch, platform }: HookStart, shell: Shell): string =>
  shimLine({ ...launch, shim: slashed(launch.shim, platform) }, shell, 'hook', agent, event);

export const slashed = (path: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? path.replaceAll('\\', '/') : path;
