import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import * as vscode from 'vscode';
import type { Launch } from '../../agents/launch.ts';
import type { Machine, ServerCommand } from '../../agents/program.ts';
import { OLDEST_NODE } from '../../ipc/installedShim.ts';

/** The machine of the extension host: agents that run there can reach this window. @param storage the extension's global storage */
export function agentMachine(storage: vscode.Uri): Machine {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return {
    platform: process.platform,
    env: process.env,
    home: homedir(),
    ...(folder && { folder: folder.uri.fsPath }),
    ...(storage.scheme === 'file' && { userData: dirname(dirname(storage.fsPath)) }),
    isRemote: vscode.env.remoteName !== undefined,
    l10n: vscode.l10n,
  };
}

/** A path as a person writes it. */
export function shortPath(path: string): string {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** The files, and in a remote window their machine. */
export function placeText(...files: string[]): string {
  const { l10n, env } = vscode;
  const paths = files.map(shortPath).join(', ');
  return env.remoteName ? l10n.t('{0} on the remote machine ({1})', paths, env.remoteName) : paths;
}

/** The API of Cursor: https://cursor.com/docs/extension-api. */
interface CursorServers {
  registerServer(config: { name: string; server: ServerCommand }): void;
  unregisterServer(name: string): void;
}

export const cursorServers = (api: object): CursorServers | undefined =>
  (api as { cursor?: { mcp?: CursorServers } }).cursor?.mcp;

/** The row of the agent that is part of this editor; undefined if the editor takes no servers from extensions. */
export function ownAgentOf(api: { lm?: object }): 'cursor' | 'vscode' | undefined {
  if (cursorServers(api)) return 'cursor';
  return 'registerMcpServerDefinitionProvider' in (api.lm ?? {}) ? 'vscode' : undefined;
}

/** What the user must know about an agent's entry. @param agent name; empty for any other agent */
export function cautions({ isOwn }: Pick<Launch, 'isOwn'>, agent: string): string[] {
  const { l10n } = vscode;
  const ownNode = l10n.t(
    "Node.js {0} or newer is not on the PATH, so this uses VS Code's own. If an update moves VS Code, connect the agent again.",
    OLDEST_NODE,
  );
  const untrusted = l10n.t('{0} starts MCP servers only in folders that you trust in {0}.', agent);
  const asksForTrust = agent === 'Gemini CLI' || agent === 'Qwen Code';
  return [...(isOwn ? [ownNode] : []), ...(asksForTrust ? [untrusted] : [])];
}
