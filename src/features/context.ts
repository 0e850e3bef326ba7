import type * as vscode from 'vscode';
import type { OpenWindow } from '../core/windowTools.ts';
import type { AgentServers } from '../hosting/index.ts';
import type { AgentBreakpoints } from '../services/debug/breakpoints.ts';
import type { Debuggees } from '../services/debug/debuggees.ts';
import type { Diagnostics } from '../services/language/diagnostics.ts';
import type { Providers } from '../services/language/providers.ts';
import type { PromptProblems } from '../services/promptProblems.ts';
import type { AgentRuns } from '../services/run/agentRuns.ts';
import type { Runs } from '../services/runs.ts';
import type { OtherWindows, ToolSwitches } from '../services/toolSwitches.ts';
import type { Log } from '../util/log.ts';
import type { Author } from '../workspace/edit/journal.ts';
import type { EditorFiles } from '../workspace/editorFiles.ts';
import type { Files } from '../workspace/files.ts';

/** The parts of the window that features may use. One per connection: `files` applies this agent's access rules. */
export interface Context {
  vscode: typeof vscode;
  files: Files;
  language: Diagnostics;
  providers: Providers;
  runs: Runs;
  /** What agents have started. */
  agentRuns: AgentRuns;
  /** What is debugged, and the breakpoints of agents. */
  debuggees: Debuggees;
  breakpoints: AgentBreakpoints;
  /** This agent. */
  author(): Author;
  switches: ToolSwitches;
  promptProblems: PromptProblems;
  /** The order in which prompts came, for their names. */
  promptArrivals: Map<string, number>;
  editorFiles: EditorFiles;
  /** Other MCP servers that this window hosts. */
  hosted: AgentServers;
  window: { id(): string; extensionVersion: string };
  /** The windows that answer, the last used first; if `others` is left out, there may be some. */
  windows: { list(): Promise<readonly OpenWindow[]>; others?: OtherWindows };
  log: Log;
}
