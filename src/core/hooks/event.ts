/** The agents whose hooks report what they do: ids of the table of agents. */
export type HookAgent = 'claude-code' | 'codex' | 'copilot-cli' | 'gemini-cli' | 'qwen-code' | 'opencode';

/**
 * `before` and `after` a tool of the agent's own; `failed`: after one that failed, if the agent tells that by an event of its own;
 * `permission`: the agent would ask in its terminal; `wait`: it is idle, and a text of the user wakes it.
 */
export type HookMoment = 'prompt' | 'before' | 'after' | 'failed' | 'permission' | 'stop' | 'wait';

/** What a hook reports, the same for all agents. It names moments and paths; the window reads texts itself. */
export interface HookEvent {
  agent: HookAgent;
  moment: HookMoment;
  /** The agent's own id of its session. */
  session: string;
  /** Since when the agent waits for the hook, in milliseconds since the epoch; now if left out. A busy window gets it late. */
  at?: number;
  /** Absolute. */
  cwd: string;
  /** As the agent names its tool: "Edit", "apply_patch", "Bash". */
  tool?: string;
  /** Id of the call, if the agent gives one. */
  call?: string;
  /** Files that an edit names, as the agent spells them: absolute, or relative to `cwd`. */
  paths?: readonly string[];
  /** The line that a shell runs: it may change any file. At most 200 UTF-16 units, but whole with `permission`. */
  command?: string;
  /** The first words of the prompt, on one line. At most 80 UTF-16 units. */
  prompt?: string;
  /** The turn goes on only because a hook said so. */
  isContinued?: boolean;
  /** With `permission`: what the tool would do to each file. */
  proposed?: readonly ProposedEdit[];
}

/** An edit that waits for permission: replacements in a text, the whole text, or a patch of any number of files. */
export type ProposedEdit =
  | { path: string; replacements: readonly { old: string; by: string; isAll?: boolean }[] }
  | { path: string; content: string }
  | { patch: string };

/** What the window answers. All of it may be missing: then the hook prints nothing. */
export interface HookReply {
  /** For the model. */
  context?: string;
  /** With `stop`: why the agent goes on. */
  goOn?: string;
  /** With `permission`: what the user decided. */
  permission?: { isAllowed: boolean; reason?: string };
}
