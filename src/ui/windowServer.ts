import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { userDataOf } from '../core/paths.ts';
import { windowToolsOff } from '../core/toolSettings.ts';
import { stateDirectory, WINDOW_VARIABLE } from '../ipc/windowRecord.ts';
import type { WindowDescription, WindowServerOptions } from '../server/serverRun.ts';
import { windowIdFrom } from '../server/windowClaim.ts';
import { WindowServer } from '../server/windowServer.ts';
import { within } from '../util/clock.ts';
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
    vscode.workspace.onDidChangeWorkspaceFolders(() =>
      server.updateRecord({ workspaceFolders: describe(context).workspaceFolders }),
    ),
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
    workspaceFolders: (workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: `${uri}`, name })),
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

/**
 * Directories in which VS Code and this extension keep settings, state and extensions of all windows. On a remote machine they are
 * often in the home directory, which may also be the workspace.
 */
export function editorData(context: vscode.ExtensionContext): string[] {
  const storage = context.globalStorageUri;
  const isInstalled = context.extensionMode === vscode.ExtensionMode.Production;
  return [
    stateDirectory(), // its secrets give access to all windows
    ...(storage.scheme === 'file' ? [userDataOf(storage.fsPath)] : []),
    // An extension in development is in the user's own project folder.
    ...(isInstalled && context.extensionUri.scheme === 'file' ? [dirname(context.extensionUri.fsPath)] : []),
  ];
}

/** The folder with the user's own settings, snippets and profiles; undefined if VS Code keeps them elsewhere. */
export function userFolder({ globalStorageUri: storage }: vscode.ExtensionContext): vscode.Uri | undefined {
  const [, path] = /^(.+\/User)\/(?:profiles\/[^/]+\/)?globalStorage\/[^/]+$/.exec(storage.path) ?? [];
  return path === undefined ? undefined : storage.with({ path });
}
