import * as vscode from 'vscode';
import type { Agent, Sessions } from './socket/session.ts';
import type { WindowServer } from './socket/windowServer.ts';
import { ApprovalPrompt } from './ui/approvalPrompt.ts';
import { registerCommands } from './ui/commands.ts';
import { consentStore } from './ui/consentStore.ts';
import { createLog } from './ui/log.ts';
import { setting } from './ui/settings.ts';
import { showStatus } from './ui/statusBar.ts';
import { shareWindowId } from './ui/terminals.ts';
import { createWindowServer } from './ui/windowServer.ts';

/** Starts the server of this window; what an agent needs of it is loaded with the first connection. */
export function activate(context: vscode.ExtensionContext): void {
  const log = createLog();
  const agents = new vscode.EventEmitter<readonly Agent[]>();
  const prompt = new ApprovalPrompt();
  const loadSessions = lazily(async (): Promise<Sessions> => {
    const { Sessions } = await import('./socket/session.ts');
    const window = {
      vscode,
      log,
      id: () => server.id ?? '',
      extensionVersion: context.extension.packageJSON.version,
      consent: { ask: prompt.ask, store: consentStore(context.workspaceState) },
    };
    const sessions = new Sessions({ window, onDidChangeAgents: (present) => agents.fire(present) });
    context.subscriptions.push(sessions);
    return sessions;
  });
  const server = createWindowServer(context, log, async (socket, peer) =>
    (await loadSessions()).open(socket, peer),
  );
  context.subscriptions.push(
    log,
    agents,
    prompt,
    stopAtTheEnd(server),
    ...registerCommands(server, log),
    showStatus(server, agents.event),
    shareWindowId(server, context.environmentVariableCollection),
  );
  if (setting('autoStart')) void server.start();
}

/** A window that closes while it is still starting is not deactivated: its process just ends. */
function stopAtTheEnd(server: WindowServer): vscode.Disposable {
  const stop = () => server.stop();
  process.once('exit', stop);
  return new vscode.Disposable(() => {
    process.off('exit', stop);
    stop();
  });
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
