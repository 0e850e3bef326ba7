import { claudeHookInput, HOOK_PROGRAMS, HOOK_TOOL, HOOK_WAITS } from '../../core/hooks/hookPrograms.ts';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import type { Shell } from '../../core/shell.ts';
import { valueAt } from '../formats/format.ts';
import { json } from '../formats/json.ts';
import { ENTRY, type HookPlace, type HookStart, type Part, type Place } from '../program.ts';
import { type Hook, hookLine, hooksOf } from './hook.ts';

/**
 * Hooks among those of others, in `hooks` of a JSON file: by event, groups of a matcher and hooks. Groups of others keep their places
 * and texts, and ours keeps its own: Codex binds the user's review to both.
 */
export const sharedHooks = (agent: keyof typeof SHAPES, files: Place['files']): HookPlace => ({
  format: json,
  files,
  found: foundIn,
  wanted(whole, start) {
    const ours = foundIn(whole);
    return hooksOf(agent).map((hook): Part => {
      const path = ['hooks', hook.event];
      const old = ours.find((part) => part.path.length === 3 && part.path[1] === hook.event);
      return {
        path: old?.path ?? [...path, itemsOf(valueAt(whole, path)).length],
        value: { ...hook.matcher, hooks: [SHAPES[agent](hook, start), ...waiting(hook, start)] },
      };
    });
  },
});

type Shape = (hook: Hook, start: HookStart) => Fields;

const command = (hook: Hook, start: HookStart, onWindows: Shell): Fields => ({
  type: 'command',
  command: hookLine(hook, start, start.platform === 'win32' ? onWindows : 'posix'),
  timeout: hook.limit,
});

const SHAPES = {
  // Over the connection of its server: no process is started.
  'claude-code': ({ moment, limit }, { server }) => ({
    type: 'mcp_tool',
    server,
    tool: HOOK_TOOL,
    input: claudeHookInput(moment),
    timeout: moment === 'before' ? 1 : limit, // it is waited for, also if the window is blocked
  }),
  // codex-rs/hooks/src/engine/command_runner.rs: COMSPEC.
  codex: (hook, start) => command(hook, start, 'cmd'),
  // packages/core/src/utils/shell-utils.ts: always PowerShell.
  'gemini-cli': (hook, start) => ({ name: ENTRY, ...command(hook, start, 'powershell') }),
  // packages/core/src/hooks/hookRunner.ts: the field decides which shell, elsewhere it is bash.
  'qwen-code': (hook, start) => ({
    ...command(hook, start, 'powershell'),
    ...(start.platform === 'win32' && { shell: 'powershell' }),
  }),
} satisfies Record<string, Shape>;

/** Left running at the end of a turn: if the user sends something, it wakes the session. */
const waiting = (hook: Hook, start: HookStart): Fields[] =>
  hook.agent === 'claude-code' && hook.moment === 'stop'
    ? [
        {
          ...command({ ...hook, event: HOOK_PROGRAMS['claude-code'].events.wait }, start, 'posix'),
          asyncRewake: true,
          timeout: HOOK_WAITS.wait / 1000,
        },
      ]
    : [];

/** Whole groups, or single hooks where a group has those of others too. */
function foundIn(whole: unknown): Part[] {
  return Object.entries(fieldsOf(valueAt(whole, ['hooks']))).flatMap(([event, groups]) =>
    itemsOf(groups).flatMap((group, index): Part[] => {
      const path = ['hooks', event, index];
      const hooks = itemsOf(fieldsOf(group).hooks);
      const ours = hooks.flatMap((value, at) =>
        isOurs(value) ? [{ path: [...path, 'hooks', at], value }] : [],
      );
      return ours.length > 0 && ours.length === hooks.length ? [{ path, value: group }] : ours;
    }),
  );
}

/** Wherever the shim is, or was. */
function isOurs(hook: unknown): boolean {
  const { tool, command } = fieldsOf(hook);
  return tool === HOOK_TOOL || /\bshim\.js['"]? hook [a-z-]+ \w+$/.test(String(command));
}
