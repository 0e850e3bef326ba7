import * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import type { Controls } from '../controls.ts';

/** Milliseconds after the start of a window: the machine is busy before. */
const DELAY = 20_000;

/** Looks for agents to connect after the window has been open for a while, and only in a window that the user looks at. */
export function offerLater(
  { server, log }: Pick<Controls, 'server' | 'log'>,
  offer: () => Promise<void>,
): vscode.Disposable {
  let focus: vscode.Disposable | undefined;
  const run = () => {
    focus?.dispose();
    if (server.state === 'running') void offer().catch((error: Error) => log.error(error));
  };
  const cancel = clock.after(DELAY, () => {
    if (vscode.window.state.focused) run();
    else focus = vscode.window.onDidChangeWindowState(({ focused }) => focused && run());
  });
  return new vscode.Disposable(() => {
    cancel();
    focus?.dispose();
  });
}
