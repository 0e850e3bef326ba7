import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import * as vscode from 'vscode';
import type { Machine } from '../../agents/program.ts';

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
