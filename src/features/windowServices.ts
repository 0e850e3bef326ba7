import type * as vscode from 'vscode';
import { approvalSetting } from '../access/accessSettings.ts';
import { Approvals } from '../access/consent/approvals.ts';
import type { ApprovalOptions, SessionGrants } from '../access/consent/types.ts';
import type { ApprovalKind } from '../access/operation.ts';
import type { BadPattern } from '../access/redaction/patterns.ts';
import { PatternTime } from '../access/redaction/patternTime.ts';
import { AgentServers } from '../hosting/servers/agentServers.ts';
import type { Hosting } from '../hosting/servers/hosting.ts';
import { Diagnostics } from '../services/language/diagnostics.ts';
import { Providers } from '../services/language/providers.ts';
import type { Reports } from '../services/language/reports.ts';
import { PromptProblems } from '../services/promptProblems.ts';
import { Runs } from '../services/run/runs.ts';
import { ToolSwitches } from '../services/toolSwitches.ts';
import type { Log } from '../util/log.ts';
import type { Author, Journal } from '../workspace/edit/journal.ts';
import { EditorFiles } from '../workspace/editorFiles.ts';
import { type ClientRoots, Files } from '../workspace/files.ts';
import { WindowFiles } from '../workspace/windowFiles.ts';
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
  /** Files with language server reports since the extension started; if left out, since the first connection. */
  reports?: Reports;
  /** Directories of VS Code's settings, state and extensions: closed to agents. */
  editorData?: readonly string[];
  /** The one with the user's settings, snippets and profiles; if left out, agents get no prompts from there. */
  userFolder?: vscode.Uri | undefined;
  /** Warns the user of an invalid `access.redact` pattern, which blocks all reading. */
  warnOfPattern?: (pattern: BadPattern) => unknown;
  /** What agents changed; if left out, nobody sees it. */
  journal?: Journal;
  /** Other MCP servers; if left out, none are hosted. */
  hosting?: Hosting;
  /** Asks the user, and keeps the answers. */
  consent: Pick<ApprovalOptions, 'ask' | 'inquire' | 'propose' | 'store' | 'time'> & {
    grants: SessionGrants;
  };
}

/** State shared by all connections of a window. */
export class Shared {
  readonly approvals: Approvals;
  /** Permissions that the user gave to sessions. */
  readonly grants: SessionGrants;
  readonly #files: WindowFiles;
  readonly #common: Omit<Context, 'files' | 'hosted'>;
  readonly #hosting: Hosting | undefined;
  readonly #disposables: readonly { dispose(): unknown }[];

  constructor({ vscode, log, consent, id, extensionVersion, windows, ...window }: Window) {
    const setting = (kind: ApprovalKind) => approvalSetting(vscode, kind);
    const approvals = new Approvals({ ...consent, log, setting });
    const { editorData, warnOfPattern, journal, hosting } = window;
    const files = new WindowFiles(vscode, log, editorData, warnOfPattern, journal, hosting?.programs);
    const language = new Diagnostics(vscode, window.reports);
    const providers = new Providers(vscode);
    const runs = new Runs(vscode);
    const switches = new ToolSwitches(vscode);
    const promptProblems = new PromptProblems(vscode);
    const listening = vscode.workspace.onDidChangeConfiguration((event) => {
      const sections = ['approvals', 'tools', 'access', 'hosting'].map(
        (section) => `workspaceMcp.${section}`,
      );
      if (sections.some((section) => event.affectsConfiguration(section))) approvals.settingsChanged();
    });
    const hostedChanges = hosting ? [hosting.onDidChangeLists(approvals.settingsChanged)] : [];
    this.approvals = approvals;
    this.grants = consent.grants;
    this.#files = files;
    this.#hosting = hosting;
    this.#common = {
      vscode,
      language,
      providers,
      runs,
      switches,
      promptProblems,
      promptArrivals: new Map(),
      editorFiles: new EditorFiles(vscode, window.userFolder),
      regexTime: new PatternTime(),
      window: { id, extensionVersion },
      windows,
      log,
    };
    this.#disposables = [files, language, runs, switches, promptProblems, listening, ...hostedChanges];
  }

  /** The context of one connection. */
  contextFor(clientRoots: ClientRoots, author: () => Author = () => NOBODY): Context {
    const files = new Files(this.#files, clientRoots, author);
    return { ...this.#common, files, hosted: new AgentServers(this.#hosting, author) };
  }

  dispose(): void {
    for (const one of this.#disposables) one.dispose();
  }
}

const NOBODY: Author = { id: 0, agent: 'agent' };
