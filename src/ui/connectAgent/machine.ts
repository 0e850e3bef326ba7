import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import * as vscode from 'vscode';
import type { Machine } from '../../agents/program.ts';
import type { Controls } from '../controls.ts';

/** The machine where this extension host runs: in a remote window, the remote one. */
export function thisMachine({ globalStorageUri }: Controls['storage']): Machine {
  const { workspace, l10n } = vscode;
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  return {
    platform: process.platform,
    env: process.env,
    home: homedir(),
    ...(folder !== undefined && { folder }),
    ...(globalStorageUri.scheme === 'file' && { userData: dirname(dirname(globalStorageUri.fsPath)) }),
    l10n,
  };
}

/** A path as a person writes it. */
export function shortPath(path: string): string {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
