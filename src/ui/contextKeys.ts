import * as vscode from 'vscode';
import type { Controls } from './controls.ts';

/** Keeps the context keys up to date by which package.json enables commands and fills the view. */
export function setContextKeys({ server, agents, prompt }: Controls): vscode.Disposable {
  const state = follow('state', () => server.state);
  const hasAgents = follow('hasAgents', () => agents.all.length > 0);
  const isAsking = follow('isAsking', () => prompt.question !== undefined);
  return vscode.Disposable.from(
    server.onDidChangeState(state),
    agents.onDidChange(hasAgents),
    prompt.onDidChange(isAsking),
  );
}

/** Sets a key to its value now; the result sets it again where that has changed. */
function follow(key: string, value: () => unknown): () => void {
  let last: unknown;
  const set = () => {
    if (value() === last) return;
    last = value();
    void vscode.commands.executeCommand('setContext', `workspaceMcp.${key}`, last);
  };
  set();
  return set;
}
