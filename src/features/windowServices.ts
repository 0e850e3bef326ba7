import type * as vscode from 'vscode';
import { approvalSetting } from '../access/accessSettings.ts';
import { Approvals } from '../access/consent/approvals.ts';
import type { ApprovalOptions, SessionGrants } from '../access/consent/types.ts';
import type { BadPattern } from '../access/redaction/patterns.ts';
import { AgentServers, type Hosting } from '../hosting/index.ts';
import { agentBreakpoints, type BreakpointStore } from '../services/debug/breakpoints.ts';
import { Debuggees } from '../services/debug/debuggees.ts';
import { Diagnostics } from '../services/language/diagnostics.ts';
import { providersIn } from '../services/language/providers.ts';
import type { Reports } from '../services/language/reports.ts';
import { promptProblems } from '../services/promptProblems.ts';
import { AgentRuns } from '../services/run/agentRuns.ts';
import { Runs } from '../services/runs.ts';
import { toolSwitches } from '../services/toolSwitches.ts';
import type { Log } from '../util/log.ts';
import type { Author, Journal } from '../workspace/edit/journal.ts';
import { editorFilesOf } from '../workspace/editorFiles.ts';
import { agentFiles, type ClientRoots, NOBODY } from '../workspace/files.ts';
import { windowFiles } from '../workspace/windowFiles.ts';
import type { Context } from './context.ts';

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
  /** Other MCP servers; if left out, none are hosted. */
  hosting?: Hosting;
  /** Asks the user, and keeps the answers. */
  consent: Pick<ApprovalOptions, 'ask' | 'inquire' | 'propose' | 'store' | 'time'> & {
    grants: SessionGrants;
  };
}

/** State shared by all connections of a window. */
export type WindowServices = ReturnType<typeof windowServices>;

export function windowServices({ vscode, log, consent, id, extensionVersion, windows, ...window }: Window) {
  const approvals = new Approvals({ ...consent, log, setting: approvalSetting.bind(undefined, vscode) });
  const { editorData, warnOfPattern, journal, hosting } = window;
  const shared = windowFiles(vscode, log, editorData, warnOfPattern, journal, hosting?.programs);
  const language = new Diagnostics(vscode, window.reports);
  const runs = new Runs(vscode);
  const agentRuns = new AgentRuns(vscode);
  const breakpoints = agentBreakpoints(vscode, window.breakpoints);
  const debuggees = new Debuggees(vscode, (author) => breakpoints.filtersOf(author));
  const switches = toolSwitches(vscode, windows.others);
  const problems = promptProblems(vscode);
  const common = {
    vscode,
    language,
    providers: providersIn(vscode),
    runs,
    agentRuns,
    debuggees,
    breakpoints,
    switches,
    promptProblems: problems,
    promptArrivals: new Map(),
    editorFiles: editorFilesOf(vscode, window.userFolder),
    window: { id, extensionVersion },
    windows,
    log,
  };
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    const sections = ['approvals', 'tools', 'access', 'hosting'];
    if (sections.some((section) => event.affectsConfiguration(`workspaceMcp.${section}`)))
      approvals.settingsChanged();
  });
  const hostedChanges = hosting ? [hosting.onDidChangeLists(approvals.settingsChanged)] : [];
  const disposables = [
    ...[shared, language, runs, agentRuns, debuggees, breakpoints, switches, problems, listening],
    ...hostedChanges,
  ];
  return {
    approvals,
    /** Permissions that the user gave to sessions. */
    grants: consent.grants,
    /** What agents have started. */
    runs: agentRuns,
    /** The agent is gone: what it debugs ends, and its breakpoints go. */
    endDebugging(author: number): void {
      debuggees.stopOf(author);
      breakpoints.endOf(author);
    },
    /** The context of one connection. */
    contextFor(clientRoots: ClientRoots, author: () => Author = NOBODY): Context {
      const files = agentFiles(shared, clientRoots, author);
      return { ...common, files, author, hosted: new AgentServers(hosting, author) };
    },
    dispose(): void {
      for (const one of disposables) one.dispose();
    },
  };
}
