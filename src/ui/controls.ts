import * as vscode from 'vscode';
import type { ApprovalOptions } from '../access/consent/types.ts';
import type { Grant } from '../core/grants.ts';
import type { PromptPreview } from '../features/prompts/index.ts';
import type { WindowServer } from '../server/windowServer.ts';
import type { Journal } from '../workspace/edit/journal.ts';
import type { Agents } from './agents.ts';
import type { ApprovalPrompt } from './approvals/prompt.ts';
import type { CommentThreads } from './comments/commentThreads.ts';
import type { ServersLater } from './hosting/serversLater.ts';
import type { HttpLater } from './http/httpLater.ts';
import type { WindowLog } from './log.ts';
import type { PlannedChanges } from './proposals/plannedChanges.ts';
import type { Proposals } from './proposals/proposals.ts';
import type { ReadOnlyTexts } from './readOnlyTexts.ts';
import type { AgentFollower } from './review/agentFollower.ts';
import type { ChangedFiles } from './review/changedFiles.ts';
import type { Review } from './review/review.ts';

/** The objects that commands, menus and views use. */
export interface Controls {
  server: WindowServer;
  agents: Agents;
  prompt: ApprovalPrompt;
  proposals: Proposals;
  /** Changes of agents' configurations that the user looks at. */
  plans: PlannedChanges;
  /** What is always allowed in this workspace. */
  store: ApprovalOptions['store'];
  /** What hosted servers are allowed until this window is closed or reloaded. */
  granted: Set<Grant>;
  journal: Journal;
  changed: ChangedFiles;
  /** Both are made when they are first needed. */
  review(): Promise<Review>;
  follower(): Promise<AgentFollower>;
  /** Comments on lines; loaded with the first. */
  threads(): Promise<CommentThreads>;
  /** Other MCP servers; loaded when they are first needed. */
  servers: ServersLater;
  /** The prompts that agents get; loaded with the rest of the server. */
  promptPreview(): Promise<PromptPreview>;
  /** In editors of their own. */
  texts: ReadOnlyTexts;
  http: HttpLater;
  log: WindowLog;
  extension: vscode.Extension<unknown>;
  /** Where the extension keeps things for all windows. */
  context: Pick<
    vscode.ExtensionContext,
    'globalState' | 'workspaceState' | 'globalStorageUri' | 'extensionPath'
  >;
  editorData: readonly string[];
}

/** Calls back when something has changed that menus, the view, the status bar or context keys show. */
export const onAnyChange = (controls: Controls, listener: () => void): vscode.Disposable => {
  const { server, agents, prompt, proposals, plans, changed, servers, http } = controls;
  const others = [agents, prompt, proposals, plans, changed, servers, http];
  return vscode.Disposable.from(
    server.onDidChangeState(listener),
    ...others.map(({ onDidChange }) => onDidChange(listener)),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
  );
};

/** Updates the context keys that package.json uses to enable commands and fill the view. */
export function setContextKeys(controls: Controls): vscode.Disposable {
  const { server, agents, prompt, proposals, plans, changed } = controls;
  const keys: Record<string, () => unknown> = {
    state: () => server.state,
    hasAgents: () => agents.all.length > 0,
    hasConnected: () => agents.all.length > 0 || plans.hasWritten,
    hasCalled: () => agents.all.some(({ callCount }) => callCount > 0),
    hasAnswered: () => prompt.hasAnswered,
    isAsking: () => prompt.question !== undefined,
    isProposing: () => proposals.open.length > 0,
    planned: () => plans.open,
    hasChangedFiles: () => changed.list().length > 0,
  };
  const known = new Map<string, unknown>();
  const update = () => {
    for (const [key, current] of Object.entries(keys)) {
      const value = current();
      if (known.has(key) && known.get(key) === value) continue;
      known.set(key, value);
      void vscode.commands.executeCommand('setContext', `workspaceMcp.${key}`, value);
    }
  };
  // VS Code keeps the keys of an extension host that was restarted. Later, because agents can find the window first.
  const first = setImmediate(update);
  return vscode.Disposable.from(
    new vscode.Disposable(() => clearImmediate(first)),
    onAnyChange(controls, update),
    agents.onDidChangeCalls(update),
  );
}
