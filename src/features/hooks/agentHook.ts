import * as z from 'zod';
import { CLIENTS } from '../../core/clients.ts';
import { hookEventOf } from '../../core/hooks/hookEvent.ts';
import { HOOK_SILENCE, HOOK_TOOL } from '../../core/hooks/hookPrograms.ts';
import type { Context } from '../context.ts';
import { LOOKS_ONLY, type Tool, type ToolSource, text, Unchecked } from '../tool.ts';

const AGENT = 'claude-code';

/** Key in `_meta` of calls that a model of Claude Code makes. */
const MODELS_CALL = 'claudecode/toolUseId';

const IS_FOR_HOOKS = 'This tool is for hooks of Claude Code. It does nothing if a model calls it.';

/** The strings of `claudeHookInput`; a configuration of a newer version may have more. */
const input = z.looseObject({
  event: z.string(),
  session: z.string(),
  cwd: z.string(),
  ...Object.fromEntries(
    ['prompt', 'continued', 'tool', 'call', 'input', 'path', 'notebook', 'command'].map((name) => [
      name,
      z.string().optional(),
    ]),
  ),
});

type Given = Record<string, string | undefined>;

/** In the form of Claude Code's own hooks, which have the same words. */
const payloadOf = ({ session, cwd, prompt, continued, tool, call, ...given }: Given) => ({
  session_id: session,
  cwd,
  prompt,
  stop_hook_active: continued === 'true',
  tool_name: tool,
  tool_use_id: call,
  tool_input: given.input || {
    file_path: given.path,
    notebook_path: given.notebook,
    command: given.command,
  },
});

/** Claude Code calls it for its hooks, so that no process has to be started for each. */
const agentHook: Tool = {
  name: HOOK_TOOL,
  title: 'Hook',
  description: IS_FOR_HOOKS,
  group: 'list',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input,
  async run(given: Given, ctx, { meta = {}, signal }) {
    if (MODELS_CALL in meta) return text(IS_FOR_HOOKS);
    const event = hookEventOf(AGENT, given.event ?? '', payloadOf(given));
    const answer = event ? await ctx.hooks.answer(event, ctx, signal) : '';
    // Nothing may stand before the JSON, as notes do.
    return new Unchecked(text(answer || HOOK_SILENCE));
  },
};

const isFor = ({ author }: Context): boolean => CLIENTS[AGENT].client.test(author().agent);

/** Only for Claude Code: others would show it to their models. */
export const hookToolSource: ToolSource = {
  list: (ctx) => ({ listed: isFor(ctx) ? [agentHook] : [], hidden: [] }),
  find: (name, ctx) => (name === HOOK_TOOL && isFor(ctx) ? agentHook : undefined),
  watch: () => ({ dispose() {} }),
};
