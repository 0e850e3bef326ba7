import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { ENTRY, type Machine, type ServerCommand, windowCommand } from '../../agents/program.ts';
import { agentPrograms } from '../../agents/programs.ts';
import { attempt } from '../../core/errors.ts';
import { fieldsOf } from '../../core/json.ts';
import { startsShim } from '../../core/shell.ts';
import type { WindowServer } from '../../server/windowServer.ts';
import type { Controls } from '../controls.ts';
import { agentMachine, cursorServers, ownAgentOf } from './found.ts';

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

  /** @param change is called when `command` may have another answer, except when the server's state changes */
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
    return windowCommand(id);
  }

  /** Registers the server with Cursor, which does not ask as VS Code does. */
  async updateCursor(): Promise<void> {
    const own = await this.command();
    const next = own && JSON.stringify(own);
    if (next === this.#registered) return;
    this.#unregister();
    if (own) cursorServers(this.#api)?.registerServer({ name: ENTRY, server: own });
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

  #files(): string[] {
    return entryFiles(ownAgentOf(this.#api) ?? '', this.#machine(), this.#api.workspace);
  }
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

type Workspace = Pick<typeof vscode.workspace, 'workspaceFolders' | 'getConfiguration'>;

/** Configurations of other agents that VS Code reads too, by the names in its setting `chat.mcp.discovery.enabled`. */
const DISCOVERED: Record<string, [program: string, scope: string]> = {
  'claude-desktop': ['claude-desktop', 'user'],
  copilot: ['copilot-cli', 'user'],
  windsurf: ['windsurf', 'user'],
  'cursor-global': ['cursor', 'user'],
  'cursor-workspace': ['cursor', 'project'],
};

/** The files in which the agent of this editor finds servers. @param id of its row */
function entryFiles(id: string, machine: Machine, workspace: Workspace): string[] {
  const folders = (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => ({ ...machine, folder: uri.fsPath }));
  const filesOf = (program: string, scope?: string) =>
    agentPrograms
      .filter((one) => one.id === program)
      .flatMap(({ places }) => places.filter((place) => scope === undefined || place.scope === scope))
      .flatMap((place) => [machine, ...folders].flatMap((one) => place.files(one)));
  // VS Code reads also the file that Claude Code shares with the repository.
  const others = id === 'vscode' ? [...discovered(workspace), ['claude-code', 'project'] as const] : [];
  return [...new Set([...filesOf(id), ...others.flatMap(([program, scope]) => filesOf(program, scope))])];
}

/** Whether one of the files starts our shim. They are not parsed: that code is large, and every window asks at its start. */
const hasEntry = (files: readonly string[]): boolean =>
  files.some((file) => {
    const text = attempt(() => readFileSync(file, 'utf8')); // there may be none
    return text !== undefined && startsShim([text.replaceAll('\\\\', '\\')]);
  });

function discovered(workspace: Workspace): (readonly [program: string, scope: string])[] {
  const setting = workspace.getConfiguration('chat').get<unknown>('mcp.discovery.enabled');
  const isOn = (name: string) => setting === true || fieldsOf(setting)[name] === true;
  return Object.entries(DISCOVERED).flatMap(([name, place]) => (isOn(name) ? [place] : []));
}

/** @param change is called when its command may have changed */
export const createEditorAgent = (
  { server, context }: Pick<Controls, 'server' | 'context'>,
  change: () => void,
): EditorAgent => new EditorAgent(vscode, server, () => agentMachine(context), change);
