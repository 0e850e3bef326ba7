import type * as vscode from 'vscode';
import { approvalSetting } from '../access/accessSettings.ts';
import { Approvals } from '../access/consent/approvals.ts';
import type { ApprovalOptions, SessionGrants } from '../access/consent/types.ts';
import type { BadPattern } from '../access/redaction/patterns.ts';
import type { ConnectedAgent } from '../core/connectedAgent.ts';
import { settingLevels } from '../core/settings.ts';
import { AgentServers, type Hosting } from '../hosting/index.ts';
import { AgentBreakpoints, type BreakpointStore } from '../services/debug/breakpoints.ts';
import { Debuggees } from '../services/debug/debuggees.ts';
import { Diagnostics } from '../services/language/diagnostics.ts';
import { Providers } from '../services/language/providers.ts';
import type { Reports } from '../services/language/reports.ts';
import { PromptProblems } from '../services/promptProblems.ts';
import { AgentRuns } from '../services/run/agentRuns.ts';
import { ToolSwitches } from '../services/toolSwitches.ts';
import { WindowRuns } from '../services/windowRuns.ts';
import type { Log } from '../util/log.ts';
import type { CommentsLater } from '../workspace/comments/comments.ts';
import type { Journal } from '../workspace/edit/journal.ts';
import { EditorFiles } from '../workspace/editorFiles.ts';
import { type ClientRoots, Files, NOBODY } from '../workspace/files.ts';
import { windowFiles } from '../workspace/windowFiles.ts';
import type { Context } from './context.ts';
import { AgentHooks } from './hooks/agentHooks.ts';
import { HookDoor } from './hooks/hookDoor.ts';

/** The window as the extension sees it, passed to the protocol bundle with the first connection. */
export interface Window {
  vscode: typeof vscode;
  /** The window's id. It may change when the server restarts. */
  id(): string;
  extensionVersion: string;
  /** All open windows. */
  windows: Context['windows'];
  log: Log;
  /** Files with language server reports since the extension started. */
  reports: Reports;
  /** Directories of VS Code's settings, state and extensions: closed to agents. */
  editorData?: readonly string[];
  /** The one with the user's settings, snippets and profiles; if left out, agents get no prompts from there. */
  userFolder?: vscode.Uri | undefined;
  /** Warns the user of an invalid `access.redact` pattern, which blocks all reading. */
  warnOfPattern?: (pattern: BadPattern) => unknown;
  /** What agents changed; if left out, nobody sees it. */
  journal?: Journal;
  /** Ids of agents' breakpoints; if left out, they are not found again after a reload. */
  breakpoints?: BreakpointStore;
  /** What the user and agents said of lines; if left out, nobody can. */
  comments?: CommentsLater;
  /** Other MCP servers; if left out, none are hosted. */
  hosting?: Hosting;
  /** Asks the user, and keeps the answers. */
  consent: Pick<ApprovalOptions, 'ask' | 'inquire' | 'propose' | 'store' | 'time'> & {
    grants: SessionGrants;
  };
}

const NO_COMMENTS: CommentsLater = {
  isNone: true,
  load: () => Promise.reject(new Error('This window has no comments.')),
  onDidChange: () => ({ dispose() {} }),
};

/** State shared by all connections of a window. */
export interface WindowServices {
  readonly approvals: Approvals;
  /** Permissions that the user gave to sessions. */
  readonly grants: SessionGrants;
  /** What agents have started. */
  readonly runs: AgentRuns;
  readonly debuggees: Debuggees;
  readonly hooks: AgentHooks;
  /** The agent is gone: what it debugs ends, and its breakpoints go. */
  endDebugging(author: number): void;
  /** The context of one connection. */
  contextFor(clientRoots: ClientRoots, author?: () => ConnectedAgent): Context;
  dispose(): void;
}

export function windowServices({
  vscode,
  log,
  consent,
  id,
  extensionVersion,
  windows,
  ...window
}: Window): WindowServices {
  const approvals = new Approvals({
    ...consent,
    log,
    setting: approvalSetting.bind(undefined, vscode),
    asksInTerminal: () => settingLevels(vscode.workspace, 'askInTerminal').globalValue === true,
  });
  const { editorData, warnOfPattern, journal, hosting } = window;
  const shared = windowFiles(vscode, log, editorData, warnOfPattern, journal, hosting);
  const language = new Diagnostics(vscode, window.reports);
  const windowRuns = new WindowRuns(vscode);
  const agentRuns = new AgentRuns(vscode);
  const breakpoints = new AgentBreakpoints(vscode, window.breakpoints);
  const debuggees = new Debuggees(vscode, (author) => breakpoints.filtersOf(author));
  const switches = new ToolSwitches(vscode, windows.others);
  const problems = new PromptProblems(vscode);
  const hooks = new AgentHooks({ vscode, journal: shared.journal, log });
  const common = {
    vscode,
    approvals,
    language,
    providers: new Providers(vscode),
    windowRuns,
    agentRuns,
    debuggees,
    breakpoints,
    switches,
    promptProblems: problems,
    promptArrivals: new Map(),
    comments: window.comments ?? NO_COMMENTS,
    editorFiles: new EditorFiles(vscode, window.userFolder),
    window: { id, extensionVersion },
    windows,
    hooks: new HookDoor(hooks),
    log,
  };
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    const sections = ['approvals', 'tools', 'access', 'hosting'];
    if (sections.some((section) => event.affectsConfiguration(`workspaceMcp.${section}`)))
      approvals.settingsChanged();
  });
  const hostedChanges = hosting ? [hosting.onDidChangeLists(approvals.settingsChanged)] : [];
  const disposables = [
    ...[
      shared,
      language,
      windowRuns,
      agentRuns,
      debuggees,
      breakpoints,
      switches,
      problems,
      hooks,
      listening,
    ],
    ...hostedChanges,
  ];
  return {
    approvals,
    grants: consent.grants,
    runs: agentRuns,
    debuggees,
    hooks,
    endDebugging(author) {
      debuggees.stopOf(author);
      breakpoints.endOf(author);
    },
    contextFor(clientRoots, author = NOBODY) {
      const files = new Files(shared, clientRoots, author);
      return { ...common, files, author, hosted: new AgentServers(hosting, author) };
    },
    dispose() {
      for (const one of disposables) one.dispose();
    },
  };
}
