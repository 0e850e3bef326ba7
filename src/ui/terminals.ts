import * as vscode from 'vscode';
import { WINDOW_VARIABLE } from '../ipc/windowRecord.ts';
import type { WindowServer } from '../server/windowServer.ts';

/** Gives the window's terminals its id, so that agents started there connect to this window. */
export function shareWindowId(
  server: WindowServer,
  collection: vscode.GlobalEnvironmentVariableCollection,
): vscode.Disposable {
  let shared: string | undefined | null = null;
  return server.onDidChangeState(() => {
    // Each change is sent to the terminals, so not before it is known what they get.
    if (server.state === 'starting' || server.id === shared) return;
    shared = server.id;
    collection.persistent = false;
    collection.description = vscode.l10n.t('Connects agents that you start here to this window.');
    if (shared) collection.replace(WINDOW_VARIABLE, shared);
    else collection.delete(WINDOW_VARIABLE);
  });
}
