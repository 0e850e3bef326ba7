import type * as vscode from 'vscode';
import { type ApprovalKind, type ApprovalOptions, Approvals, type Grantee } from '../access/approvals.ts';
import { type AgentAccess, Files, WindowFiles } from '../access/files.ts';
import { approvalSetting } from '../access/settings.ts';
import type { Log } from '../util/log.ts';
import type { Context } from './define.ts';
import { Diagnostics } from './diagnostics.ts';
import { ToolSwitches } from './toolSwitches.ts';

/** What the extension knows of its window, handed to the protocol bundle with the first connection. */
export interface Window {
  vscode: typeof vscode;
  /** The window's id, which a restart of the server may change. */
  id(): string;
  extensionVersion: string;
  log: Log;
  /** How the person is asked, and where lasting answers are kept. */
  consent: Pick<ApprovalOptions, 'ask' | 'store' | 'time'>;
}

/** What all connections of a window share. */
export class Shared {
  readonly #window: Window;
  readonly #files: WindowFiles;
  readonly #diagnostics: Diagnostics;
  readonly #switches: ToolSwitches;
  readonly approvals: Approvals;
  /** What was allowed for a session, by its resume key: an agent that reconnects goes on with it. */
  readonly #granted = new Map<string, Set<ApprovalKind>>();

  constructor(window: Window) {
    const { vscode, log, consent } = window;
    this.#window = window;
    this.approvals = new Approvals({ ...consent, log, setting: (kind) => approvalSetting(vscode, kind) });
    this.#files = new WindowFiles(window.vscode, window.log);
    this.#diagnostics = new Diagnostics(window.vscode);
    this.#switches = new ToolSwitches(window.vscode);
  }

  /** What the person has allowed to a session. */
  grantedTo(resume: string): Set<ApprovalKind> {
    const granted = this.#granted.get(resume) ?? new Set();
    this.#granted.set(resume, granted);
    return granted;
  }

  /** The context of one connection. */
  contextFor(clientRoots: AgentAccess['clientRoots'], grantee: Grantee): Context {
    const { vscode, id, extensionVersion, log } = this.#window;
    const approve: AgentAccess['approve'] = (request, signal) =>
      this.approvals.require(request, grantee, signal);
    const files = new Files(this.#files, { clientRoots, approve });
    const [diagnostics, switches] = [this.#diagnostics, this.#switches];
    return { vscode, files, diagnostics, switches, window: { id, extensionVersion }, log };
  }

  dispose(): void {
    this.#files.dispose();
    this.#diagnostics.dispose();
    this.#switches.dispose();
  }
}
