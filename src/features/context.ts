import type {
  ClientCapabilities,
  CompleteResult,
  InputRequests,
  InputRequiredResult,
  LoggingLevel,
} from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Approvals } from '../access/consent/approvals.ts';
import type { ConnectedAgent } from '../core/connectedAgent.ts';
import type { HookEvent } from '../core/hooks/event.ts';
import type { Fields } from '../core/json.ts';
import type { OpenWindow } from '../core/windowTools.ts';
import type { AgentServers } from '../hosting/index.ts';
import type { AgentBreakpoints } from '../services/debug/breakpoints.ts';
import type { Debuggees } from '../services/debug/debuggees.ts';
import type { Diagnostics } from '../services/language/diagnostics.ts';
import type { Providers } from '../services/language/providers.ts';
import type { PromptProblems } from '../services/promptProblems.ts';
import type { AgentRuns } from '../services/run/agentRuns.ts';
import type { OtherWindows, ToolSwitches } from '../services/toolSwitches.ts';
import type { WindowRuns } from '../services/windowRuns.ts';
import type { Log } from '../util/log.ts';
import type { CommentsLater } from '../workspace/comments/comments.ts';
import type { EditorFiles } from '../workspace/editorFiles.ts';
import type { Files } from '../workspace/files.ts';

/** The parts of the window that features may use. One per connection: `files` applies this agent's access rules. */
export interface Context {
  vscode: typeof vscode;
  files: Files;
  language: Diagnostics;
  providers: Providers;
  windowRuns: WindowRuns;
  /** What agents have started. */
  agentRuns: AgentRuns;
  /** What is debugged, and the breakpoints of agents. */
  debuggees: Debuggees;
  breakpoints: AgentBreakpoints;
  /** This agent. */
  author(): ConnectedAgent;
  /** For what an agent does with its own tools; ours ask by their call. */
  approvals: Pick<Approvals, 'askOwn'>;
  switches: ToolSwitches;
  promptProblems: PromptProblems;
  /** What the user and agents said of lines. */
  comments: CommentsLater;
  /** The order in which prompts came, for their names. */
  promptArrivals: Map<string, number>;
  editorFiles: EditorFiles;
  /** What the agent's hooks report, and get for an answer. */
  hooks: { answer(event: HookEvent, ctx: Context, signal: AbortSignal): Promise<string> };
  /** Other MCP servers that this window hosts. */
  hosted: AgentServers;
  window: { id(): string; extensionVersion: string };
  /** The windows that answer, the last used first; if `others` is left out, there may be some. */
  windows: { list(): Promise<readonly OpenWindow[]>; others?: OtherWindows };
  log: Log;
}

/**
 * Lets a tool or prompt ask the agent for input before it answers: a form for the user, an answer of the agent's model, its
 * roots. The feature returns the result of `ask`, and runs again from the start when the answers arrive.
 */
export interface Input {
  /** The kinds of input that this agent supports. Asking for others ends the call with an error. */
  readonly capabilities: ClientCapabilities;
  /** Answers to the previous round, by its keys: as the agent sent them, unchecked. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The state passed to `ask` in the previous round. The agent can read it, but not change it. */
  readonly state: unknown;
  ask(requests: InputRequests, state?: unknown): Promise<InputRequiredResult>;
}

/** One call: its cancellation, progress and requests for input. */
export interface Call {
  signal: AbortSignal;
  input: Input;
  /** Waits for room for an answer of that many bytes: the agent may not read its answers. @throws CancelledError */
  makeRoom?(bytes: number): Promise<void>;
  /** Sent as `notifications/progress` if the agent asked for it; must rise. */
  progress(progress: number, total?: number, message?: string): void;
  /**
   * Sent as `notifications/message` if the agent wants that level. Must not contain anything closed to the agent.
   *
   * @param logger of a hosted server; ours if left out
   */
  log(level: LoggingLevel, message: unknown, logger?: string): void;
  /** The least severe level of log messages that the agent wants; undefined if it wants none. */
  logLevel?: LoggingLevel | undefined;
  /** What the agent sent in `_meta` of its request. */
  meta?: Fields;
  /**
   * Answers the request with a task, whose result is that of this call, which goes on: only a cancelled task ends it then. Called again,
   * it changes the status. Left out if the client takes no tasks (MCP extension io.modelcontextprotocol/tasks).
   *
   * @param status what the call waits for, for the user and the model
   */
  becomeTask?(status: string): void;
  /**
   * Once the call is a task, shows a form in the client as well, while the window does not have the focus.
   *
   * @returns the answer as the client sent it, unchecked; undefined once the signal is aborted
   */
  form?(request: InputRequests[string], ended: AbortSignal): Promise<unknown>;
}

export interface Argument {
  name: string;
  /** The text typed so far. */
  value: string;
  /** The other arguments, as far as they are known. */
  others: Record<string, string>;
}

export type Completion = CompleteResult['completion'];

/** At most 100 values, with the total (MCP, completion/complete). */
export const completion = (values: readonly string[]): Completion => ({
  values: values.slice(0, 100),
  total: values.length,
  hasMore: values.length > 100,
});
