import * as vscode from 'vscode';
import type { Controls } from './controls.ts';

/** Updates the context keys that package.json uses to enable commands and fill the view. */
export function setContextKeys({ server, agents, prompt, changed }: Controls): vscode.Disposable {
  const state = follow('state', () => server.state);
  const hasAgents = follow('hasAgents', () => agents.all.length > 0);
  const hasCalled = follow('hasCalled', () => agents.all.some(({ callCount }) => callCount > 0));
  const hasAnswered = follow('hasAnswered', () => prompt.hasAnswered);
  const isAsking = follow('isAsking', () => prompt.question !== undefined);
  const hasChangedFiles = follow('hasChangedFiles', () => changed.list().length > 0);
  // All once, because VS Code keeps the keys of an extension host that was restarted; agents can find the window first.
  const first = setImmediate(() => {
    for (const set of [state, hasAgents, hasCalled, hasAnswered, isAsking, hasChangedFiles]) set();
  });
  return vscode.Disposable.from(
    new vscode.Disposable(() => clearImmediate(first)),
    changed.onDidChange(hasChangedFiles),
    server.onDidChangeState(state),
    agents.onDidChange(hasAgents),
    agents.onDidChangeCalls(hasCalled),
    prompt.onDidChange(isAsking),
    prompt.onDidChange(hasAnswered),
  );
}

/** Returns a function that sets a context key to its current value, if it has another one or none. */
function follow(key: string, value: () => unknown): () => void {
  let last: unknown;
  return () => {
    if (value() === last) return;
    last = value();
    void vscode.commands.executeCommand('setContext', `workspaceMcp.${key}`, last);
  };
}
