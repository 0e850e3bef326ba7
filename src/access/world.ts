import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, posix } from 'node:path';
import type * as vscode from 'vscode';
import type { PolicyFolder } from './policy.ts';
import { type AccessSettings, readAccessSettings } from './settings.ts';

/**
 * The folders and settings that the policy judges by, read when they are first needed and again when they change: every
 * request asks for them. One for the window.
 */
export class World {
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  #folders: readonly PolicyFolder[] | undefined;
  #settings: AccessSettings | undefined;

  constructor(code: typeof vscode) {
    this.#vscode = code;
    const forget = () => {
      this.#folders = undefined;
      this.#settings = undefined;
    };
    this.#subscriptions = [
      code.workspace.onDidChangeWorkspaceFolders(forget),
      code.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('workspaceMcp.access')) forget();
      }),
    ];
  }

  folders(): readonly PolicyFolder[] {
    this.#folders ??= (this.#vscode.workspace.workspaceFolders ?? []).map(({ uri }) => ({
      path: policyPath(uri),
      realPath: uri.scheme === 'file' ? realPathOf(uri.fsPath) : policyPath(uri),
      settings: this.#read(uri),
    }));
    return this.#folders;
  }

  settings(): AccessSettings {
    this.#settings ??= this.#read();
    return this.#settings;
  }

  isTrusted(): boolean {
    return this.#vscode.workspace.isTrusted;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #read(folder?: vscode.Uri): AccessSettings {
    const settings = readAccessSettings(this.#vscode.workspace, folder);
    const allowed = settings.allowedPaths.map(withHome).filter((path) => isAbsolute(path));
    const deniedPaths = settings.deniedPaths.map(withHome);
    return { ...settings, deniedPaths, allowedPaths: [...new Set([...allowed, ...allowed.map(realPathOf)])] };
  }
}

/** By what a URI is judged: its path on the disk, or one that no disk has. */
export const policyPath = ({ scheme, authority, path, fsPath }: vscode.Uri): string =>
  scheme === 'file' ? fsPath : `${scheme}://${authority}${posix.normalize(path)}`;

const withHome = (path: string): string =>
  /^~(?=$|[\\/])/.test(path) ? join(homedir(), path.slice(1)) : path;

/** All links resolved; a path that leads nowhere (yet) is judged as it is named. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
