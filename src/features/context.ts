import type * as vscode from 'vscode';
import type { PatternTime } from '../access/redaction/patternTime.ts';
import type { OpenWindow } from '../core/windowTools.ts';
import type { AgentServers } from '../hosting/servers/agentServers.ts';
import type { Diagnostics } from '../services/language/diagnostics.ts';
import type { Providers } from '../services/language/providers.ts';
import type { PromptProblems } from '../services/promptProblems.ts';
import type { Runs } from '../services/run/runs.ts';
import type { ToolSwitches } from '../services/toolSwitches.ts';
import type { Log } from '../util/log.ts';
import type { EditorFiles } from '../workspace/editorFiles.ts';
import type { Files } from '../workspace/files.ts';

/** The parts of the window that features may use. One per connection: `files` applies this agent's access rules. */
export interface Context {
  vscode: typeof vscode;
  files: Files;
  language: Diagnostics;
  providers: Providers;
  runs: Runs;
  switches: ToolSwitches;
  promptProblems: PromptProblems;
  /** The order in which prompts came, for their names. */
  promptArrivals: Map<string, number>;
  editorFiles: EditorFiles;
  /** For the regular expressions of all agents together. */
  regexTime: PatternTime;
  /** Other MCP servers that this window hosts. */
  hosted: AgentServers;
  window: { id(): string; extensionVersion: string };
  /** The windows that answer, the last used first. */
  windows: { list(): Promise<readonly OpenWindow[]> };
  log: Log;
}
