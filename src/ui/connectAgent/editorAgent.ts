import { basename, dirname } from 'node:path';
import type * as vscode from 'vscode';
import { findOwnLaunch } from '../../agents/launch.ts';
import { ENTRY, type Machine, type ServerCommand } from '../../agents/program.ts';
import type { WindowServer } from '../../server/windowServer.ts';
import { entryFiles, hasEntry } from './editorEntries.ts';
import { cursorServers, ownAgentOf } from './ownAgent.ts';

/** The part of VS Code that is used here. */
type Api = Pick<typeof vscode, 'Disposable' | 'RelativePattern' | 'Uri' | 'workspace'> & { lm?: object };

type Server = Pick<WindowServer, 'state' | 'id'>;

/** The server of this window for the agent of this editor. */
export class EditorAgent implements vscode.Disposable {
  readonly #api: Api;
  readonly #server: Server;
  readonly #machine: () => Machine;
  readonly #watching: vscode.Disposable;
  #registered: string | undefined;

  /** @param change is called when {@link command} may have another answer, except when the server's state changes */
  constructor(api: Api, server: Server, machine: () => Machine, change: () => void) {
    this.#api = api;
    this.#server = server;
    this.#machine = machine;
    this.#watching = watch(api, this.#files(), change);
  }

  /** How to start the shim for this window; undefined if a configuration file has an entry for it, or no server runs. */
  async command(): Promise<ServerCommand | undefined> {
    const { state, id } = this.#server;
    if (state !== 'running' || id === undefined || hasEntry(this.#files())) return undefined;
    const { program, shim, env } = await findOwnLaunch();
    return { command: program, args: [shim, '--window', id], env };
  }

  /** Cursor is told; VS Code asks. */
  async updateCursor(): Promise<void> {
    const server = await this.command();
    const next = server && JSON.stringify(server);
    if (next === this.#registered) return;
    this.#unregister();
    if (server) cursorServers(this.#api)?.registerServer({ name: ENTRY, server });
    this.#registered = next;
  }

  dispose(): void {
    this.#watching.dispose();
    this.#unregister();
  }

  #unregister(): void {
    if (this.#registered !== undefined) cursorServers(this.#api)?.unregisterServer(ENTRY);
    this.#registered = undefined;
  }

  readonly #files = (): string[] =>
    entryFiles(ownAgentOf(this.#api) ?? '', this.#machine(), this.#api.workspace);
}

/** Files of folders that are added later are read with the next change. */
function watch(api: Api, files: readonly string[], change: () => void): vscode.Disposable {
  const { Disposable, RelativePattern, Uri, workspace } = api;
  const watchers = files.map((file) =>
    workspace.createFileSystemWatcher(new RelativePattern(Uri.file(dirname(file)), basename(file))),
  );
  return Disposable.from(
    workspace.onDidChangeWorkspaceFolders(change),
    workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('chat.mcp.discovery.enabled') && change(),
    ),
    ...watchers.flatMap((one) => [
      one,
      one.onDidCreate(change),
      one.onDidChange(change),
      one.onDidDelete(change),
    ]),
  );
}
