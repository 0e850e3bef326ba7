import type * as vscode from 'vscode';
import type { ApprovalOptions } from '../access/approvals.ts';
import type { WindowServer } from '../socket/windowServer.ts';
import type { Agents } from './agents.ts';
import type { ApprovalPrompt } from './approvals/prompt.ts';

/** What commands, menus and views show and act on. */
export interface Controls {
  server: WindowServer;
  agents: Agents;
  prompt: ApprovalPrompt;
  /** What is always allowed in this workspace. */
  store: ApprovalOptions['store'];
  log: vscode.LogOutputChannel;
  extension: vscode.Extension<unknown>;
}
