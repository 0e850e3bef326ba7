import * as vscode from 'vscode';
import type { Controls } from '../controls.ts';

/** Milliseconds after the start of a window: the machine is busy before. */
const DELAY = 20_000;

/** Looks for agents to connect when the window has been open for a while, in the window that the user looks at. */
export function offerLater(controls: Controls): vscode.Disposable {
  const timer = setTimeout(async () => {
    if (!vscode.window.state.focused || controls.server.state !== 'running') return;
    const { offerToConnect } = await import('../lazyCommands.ts');
    await offerToConnect(controls).catch((error: Error) => controls.log.error(error));
  }, DELAY);
  return new vscode.Disposable(() => clearTimeout(timer));
}
