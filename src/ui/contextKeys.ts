import * as vscode from 'vscode';
import { type Controls, onAnyChange } from './controls.ts';

/** Updates the context keys that package.json uses to enable commands and fill the view. */
export function setContextKeys(controls: Controls): vscode.Disposable {
  const { server, agents, prompt, proposals, plans, changed } = controls;
  const keys: Record<string, () => unknown> = {
    state: () => server.state,
    hasAgents: () => agents.all.length > 0,
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
