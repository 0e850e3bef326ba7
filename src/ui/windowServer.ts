import { join } from 'node:path';
import * as vscode from 'vscode';
import { windowToolsOff } from '../core/switchedOff.ts';
import { stateDirectory } from '../ipc/windowRecord.ts';
import type { WindowDescription, WindowServerOptions } from '../server/serverRun.ts';
import { windowIdFrom } from '../server/windowClaim.ts';
import { WindowServer } from '../server/windowServer.ts';
import { within } from '../util/deadline.ts';
import type { Log } from '../util/log.ts';

/** How long the workbench may take to respond, in milliseconds. */
const SIGN_OF_LIFE = 1_000;

/** The server of this window. Its record is updated when folders, settings, trust or focus change. */
export function createWindowServer(
  context: vscode.ExtensionContext,
  log: Log,
  sessions: Pick<WindowServerOptions, 'openSession' | 'knowsSession'>,
): WindowServer {
  const server = new WindowServer({
    home: stateDirectory(),
    env: process.env,
    wantedId: wantedWindowId(context),
    bundledShim: join(context.extensionPath, 'dist', 'shim.js'),
    describe: () => describe(context),
    folderPaths: () =>
      (vscode.workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ uri }) => uri.fsPath),
    isResponsive,
    ...sessions,
    log,
  });
  context.subscriptions.push(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      const { workspaceFolders } = describe(context);
      server.updateRecord({ workspaceFolders });
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('workspaceMcp.tools'))
        server.updateRecord({ toolsOff: windowToolsOff(vscode.workspace) });
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.updateRecord({ trusted: true })),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) server.updateRecord({ focusedAt: Date.now() });
    }),
  );
  return server;
}

/** The id that this window gets, unless another one has it. */
export const wantedWindowId = ({ storageUri }: vscode.ExtensionContext): string =>
  windowIdFrom(storageUri?.toString());

function describe({ extension }: vscode.ExtensionContext): WindowDescription {
  const { workspace, env, version } = vscode;
  return {
    workspaceFolders: (workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
      uri: uri.toString(),
      name,
    })),
    ...(workspace.workspaceFile && { workspaceFile: workspace.workspaceFile.toString() }),
    ideName: env.appName,
    ideVersion: version,
    extensionVersion: extension.packageJSON.version,
    trusted: workspace.isTrusted,
    focusedAt: Date.now(),
    toolsOff: windowToolsOff(workspace),
  };
}

/** The workbench answers a command only while it is alive. */
async function isResponsive(): Promise<boolean> {
  const answered = vscode.commands.executeCommand('setContext', 'workspaceMcp.responsive', true).then(
    () => true,
    () => false,
  );
  return within(answered, SIGN_OF_LIFE, false);
}
