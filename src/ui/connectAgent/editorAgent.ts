import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { findOwnLaunch } from '../../agents/launch.ts';
import { ENTRY } from '../../agents/program.ts';
import type { Controls } from '../controls.ts';
import { entryFiles, hasEntry } from './editorEntries.ts';
import { agentMachine } from './machine.ts';

/** As in package.json. */
const PROVIDER = 'workspaceMcp.window';

/** The API of Cursor: https://cursor.com/docs/extension-api. */
interface CursorServers {
  registerServer(config: {
    name: string;
    server: { command: string; args: string[]; env: Record<string, string> };
  }): void;
  unregisterServer(name: string): void;
}

const cursorServers = (): CursorServers | undefined =>
  (vscode as { cursor?: { mcp?: CursorServers } }).cursor?.mcp;

/** The row of the agent that is part of this editor; undefined if the editor takes no servers from extensions. */
export function ownAgentOf(): string | undefined {
  if (cursorServers()) return 'cursor';
  return 'registerMcpServerDefinitionProvider' in (vscode.lm ?? {}) ? 'vscode' : undefined;
}

/** Offers this window's server to the agent of this editor, unless a configuration file has an entry for it. */
export function serveEditorAgent({
  server,
  context,
  extension,
}: Pick<Controls, 'server' | 'context' | 'extension'>): vscode.Disposable {
  const id = ownAgentOf();
  if (id === undefined) return new vscode.Disposable(() => {});
  const changes = new vscode.EventEmitter<void>();
  const change = () => changes.fire();
  const files = () => entryFiles(id, agentMachine(context.globalStorageUri));
  const launch = async () => {
    if (server.state !== 'running' || server.id === undefined || hasEntry(files())) return undefined;
    const { program, shim, env } = await findOwnLaunch();
    return { command: program, args: [shim, '--window', server.id], env };
  };
  const { version } = extension.packageJSON;
  return vscode.Disposable.from(
    changes,
    server.onDidChangeState(change),
    vscode.workspace.onDidChangeWorkspaceFolders(change),
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('chat.mcp.discovery.enabled') && change(),
    ),
    watch(files(), change),
    id === 'cursor' ? serveCursor(launch, changes.event) : serveVsCode(launch, changes.event, version),
  );
}

type Launched = () => Promise<{ command: string; args: string[]; env: Record<string, string> } | undefined>;

const serveVsCode = (
  launch: Launched,
  onDidChangeMcpServerDefinitions: vscode.Event<void>,
  version: string,
): vscode.Disposable =>
  vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
    onDidChangeMcpServerDefinitions,
    provideMcpServerDefinitions: async () => {
      const own = await launch();
      return own
        ? [new vscode.McpStdioServerDefinition('Workspace MCP', own.command, own.args, own.env, version)]
        : [];
    },
  });

function serveCursor(launch: Launched, onDidChange: vscode.Event<void>): vscode.Disposable {
  let last: string | undefined;
  const update = async () => {
    const own = await launch();
    const next = own && JSON.stringify(own);
    if (next === last) return;
    if (last !== undefined) cursorServers()?.unregisterServer(ENTRY);
    if (own) cursorServers()?.registerServer({ name: ENTRY, server: own });
    last = next;
  };
  const stop = () => {
    if (last !== undefined) cursorServers()?.unregisterServer(ENTRY);
  };
  void update();
  return vscode.Disposable.from(
    onDidChange(() => void update()),
    new vscode.Disposable(stop),
  );
}

/** Those of folders that are added later are read with the next change. */
function watch(files: readonly string[], change: () => void): vscode.Disposable {
  const watchers = files.map((file) =>
    vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(dirname(file)), basename(file)),
    ),
  );
  return vscode.Disposable.from(
    ...watchers.flatMap((one) => [
      one,
      one.onDidCreate(change),
      one.onDidChange(change),
      one.onDidDelete(change),
    ]),
  );
}
