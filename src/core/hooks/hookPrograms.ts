import type { HookAgent, HookMoment } from './event.ts';

/** Hooks of an agent, as its configuration and its answers have them. */
export interface HookProgram {
  /** As people know the program. */
  name: string;
  /** Names of its events. Not there: it has no such event that works. `wait` is ours: a process that it leaves running when it is idle. */
  events: Readonly<Partial<Record<HookMoment, string>>>;
  /** A regular expression: its own tools that change files. Matcher of all moments but `prompt` and `stop`. */
  tools: string;
  /** Unit of the time limits in its configuration. */
  unit: 's' | 'ms';
  /**
   * Form of its answers: `nested` in hookSpecificOutput, `flat`, or `plain`: a reply of ours for our own module. Never two at once:
   * Codex fails a hook for one unknown key, Copilot reads flat keys only.
   */
  answers: 'nested' | 'flat' | 'plain';
}

const CLAUDE_EVENTS = {
  prompt: 'UserPromptSubmit',
  before: 'PreToolUse',
  after: 'PostToolUse',
  failed: 'PostToolUseFailure',
  permission: 'PermissionRequest',
  stop: 'Stop',
  wait: 'wait',
} as const;

const { permission: _, wait: __, ...QWEN_EVENTS } = CLAUDE_EVENTS;
/** It tells `PostToolUse` of a command that failed, too. */
const { failed: ___, wait: ____, ...CODEX_EVENTS } = CLAUDE_EVENTS;

export const HOOK_PROGRAMS = {
  'claude-code': {
    name: 'Claude Code',
    events: CLAUDE_EVENTS,
    tools: 'Edit|Write|NotebookEdit|Bash',
    unit: 's',
    answers: 'nested',
  },
  codex: { name: 'Codex', events: CODEX_EVENTS, tools: 'apply_patch|Bash', unit: 's', answers: 'nested' },
  'copilot-cli': {
    name: 'Copilot CLI',
    events: {
      prompt: 'userPromptSubmitted',
      before: 'preToolUse',
      after: 'postToolUse',
      permission: 'permissionRequest',
      stop: 'agentStop',
    },
    tools: 'edit|create|apply_patch|bash|powershell',
    unit: 's',
    answers: 'flat',
  },
  'gemini-cli': {
    name: 'Gemini CLI',
    events: { prompt: 'BeforeAgent', before: 'BeforeTool', after: 'AfterTool', stop: 'AfterAgent' },
    tools: 'write_file|replace|run_shell_command',
    unit: 'ms',
    answers: 'nested',
  },
  'qwen-code': {
    name: 'Qwen Code',
    events: QWEN_EVENTS,
    tools: 'edit|write_file|run_shell_command',
    // packages/core/src/hooks/hookRunner.ts: seconds are for hooks over HTTP only.
    unit: 'ms',
    answers: 'nested',
  },
  // Our own module calls it, with our names of the moments.
  opencode: {
    name: 'opencode',
    events: { prompt: 'prompt', before: 'before', after: 'after', stop: 'stop', wait: 'wait' },
    tools: 'edit|write|apply_patch|bash',
    unit: 'ms',
    answers: 'plain',
  },
} as const satisfies Record<HookAgent, HookProgram>;

/** The program of an id; undefined for any other text. */
export const hookProgram = (agent: string): HookProgram | undefined =>
  Object.hasOwn(HOOK_PROGRAMS, agent) ? HOOK_PROGRAMS[agent as HookAgent] : undefined;

/** How long a hook waits for its window, in milliseconds. Then it says nothing. But for `wait`, the agent goes on after that. */
export const HOOK_WAITS: Readonly<Record<HookMoment, number>> = {
  prompt: 2_000,
  before: 300,
  after: 2_000,
  failed: 2_000,
  permission: 60_000,
  stop: 2_000,
  wait: 24 * 60 * 60_000,
};

/** What the window puts before words of the user that it sends to an agent. */
export const FROM_USER = 'The user sends you this from VS Code:';

/** The request that a hook sends over the socket of its window: a HookEvent, answered with the text to print. */
export const HOOK_METHOD = 'workspace-mcp/hook';

/** The tool that hooks of Claude Code call (`mcp_tool`): no process is started. */
export const HOOK_TOOL = 'agent_hook';

/** What it answers if there is nothing to say: for an empty text, Claude Code tells its model that the hook was a success. */
export const HOOK_SILENCE = '{}';

/** Arguments of {@link HOOK_TOOL} in the configuration of Claude Code, which fills them in; what is missing becomes "". */
export const claudeHookInput = (moment: HookMoment): Readonly<Record<string, string>> => ({
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: placeholders of Claude Code
  event: '${hook_event_name}',
  session: '${session_id}',
  cwd: '${cwd}',
  ...(moment === 'prompt' && { prompt: '${prompt}' }),
  ...(moment === 'stop' && { continued: '${stop_hook_active}' }),
  ...(moment !== 'prompt' && moment !== 'stop' && { tool: '${tool_name}', call: '${tool_use_id}' }),
  // Texts only where somebody looks at them.
  ...(moment === 'permission' && { input: '${tool_input}' }),
  ...((moment === 'before' || moment === 'after' || moment === 'failed') && {
    path: '${tool_input.file_path}',
    notebook: '${tool_input.notebook_path}',
    command: '${tool_input.command}',
  }),
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: placeholders of Claude Code
});
