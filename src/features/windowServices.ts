import type * as vscode from 'vscode';
import { approvalSetting } from '../access/accessSettings.ts';
import { Approvals } from '../access/consent/approvals.ts';
import type { ApprovalOptions, SessionGrants } from '../access/consent/types.ts';
import type { BadPattern } from '../access/redaction/patterns.ts';
import { Diagnostics } from '../services/language/diagnostics.ts';
import type { Reports } from '../services/language/reports.ts';
import { Runs } from '../services/run/runs.ts';
import { ToolSwitches } from '../services/toolSwitches.ts';
import type { Log } from '../util/log.ts';
import { type ClientRoots, Files } from '../workspace/files.ts';
import { WindowFiles } from '../workspace/windowFiles.ts';
import type { Context } from './context.ts';

/** What the extension knows of its window, handed to the protocol bundle with the first connection. */
export interface Window {
  vscode: typeof vscode;
  /** The window's id, which a restart of the server may change. */
  id(): string;
  extensionVersion: string;
  /** All windows that are open. */
  windows: Context['windows'];
  log: Log;
  /** What language servers have reported on since the extension started; without it, since the first connection. */
  reports?: Reports;
  /** Directories in which VS Code keeps settings, state and extensions: closed to agents. */
  editorData?: readonly string[];
  /** Tells the person of a pattern of `access.redact` that keeps everything from being read. */
  warnOfPattern?: (pattern: BadPattern) => unknown;
  /** How the person is asked, and where their answers are kept. */
  consent: Pick<ApprovalOptions, 'ask' | 'store' | 'time'> & { grants: SessionGrants };
}

/** What all connections of a window share. */
export class Shared {
  readonly #window: Window;
  readonly #files: WindowFiles;
  readonly #diagnostics: Diagnostics;
  readonly #runs: Runs;
  readonly #switches: ToolSwitches;
  readonly approvals: Approvals;
  readonly #subscription: vscode.Disposable;

  constructor(window: Window) {
    const { vscode, log, consent } = window;
    this.#window = window;
    this.approvals = new Approvals({ ...consent, log, setting: (kind) => approvalSetting(vscode, kind) });
    this.#files = new WindowFiles(vscode, log, window.editorData, window.warnOfPattern);
    this.#diagnostics = new Diagnostics(window.vscode, window.reports);
    this.#runs = new Runs(window.vscode);
    this.#switches = new ToolSwitches(window.vscode);
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      const sections = ['workspaceMcp.approvals', 'workspaceMcp.tools', 'workspaceMcp.access'];
      if (sections.some((section) => event.affectsConfiguration(section))) this.approvals.settingsChanged();
    });
  }

  /** What the person has allowed to sessions. */
  get grants(): SessionGrants {
    return this.#window.consent.grants;
  }

  /** The context of one connection. */
  contextFor(clientRoots: ClientRoots): Context {
    const { vscode, id, extensionVersion, windows, log } = this.#window;
    return {
      vscode,
      files: new Files(this.#files, clientRoots),
      language: this.#diagnostics,
      runs: this.#runs,
      switches: this.#switches,
      window: { id, extensionVersion },
      windows,
      log,
    };
  }

  dispose(): void {
    this.#files.dispose();
    this.#diagnostics.dispose();
    this.#runs.dispose();
    this.#switches.dispose();
    this.#subscription.dispose();
  }
}
