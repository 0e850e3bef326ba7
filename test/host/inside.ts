/** What tests inside the extension host share. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { connectAgent, type HostAgent, windowRecord } from './agent.ts';

export const [folder] = vscode.workspace.workspaceFolders ?? [];
export const root: string = folder?.uri.fsPath ?? '';
export const at = (path: string): string => join(root, path);
export const disk = (path: string): string => readFileSync(at(path), 'utf8');

type SuiteAgent = Omit<HostAgent, 'closed' | typeof Symbol.asyncDispose>;

/** An agent, connected before the tests of a suite and closed after them. @param cwd where it works */
export function agentOfSuite(cwd = root): SuiteAgent {
  let agent: HostAgent;
  before(async () => {
    await windowRecord();
    agent = await connectAgent(cwd);
  });
  after(() => agent[Symbol.asyncDispose]());
  return {
    get client() {
      return agent.client;
    },
    call: (...args) => agent.call(...args),
    cancelCalls: () => agent.cancelCalls(),
    notified: (method) => agent.notified(method),
    forgetNotifications: () => agent.forgetNotifications(),
  };
}

export const edit = (agent: SuiteAgent, path: string, oldText: string, newText: string): Promise<string> =>
  agent.call('edit_file', { path, edits: [{ oldText, newText }] });

/** Changes settings until a hook: `after` or `afterEach`. */
export function settingsUntil(hook: (undo: () => Promise<void>) => void) {
  const changed: (() => PromiseLike<void>)[] = [];
  hook(async () => {
    for (const undo of changed.splice(0)) await undo();
  });
  return async (name: string, value: unknown, target = vscode.ConfigurationTarget.Global): Promise<void> => {
    const update = (value: unknown) => vscode.workspace.getConfiguration().update(name, value, target);
    changed.push(() => update(undefined));
    await update(value);
  };
}

/** In a browser VS Code saves by itself after a second. */
export const saveNothingByItself = (): PromiseLike<void> =>
  vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);

export const closeAll = (): PromiseLike<unknown> =>
  vscode.commands.executeCommand('workbench.action.closeAllEditors');

/** Reverts the text of the editor in front, and closes all. */
export async function revert(...documents: vscode.TextDocument[]): Promise<void> {
  for (const document of documents) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await closeAll();
}
