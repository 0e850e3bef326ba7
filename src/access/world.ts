import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
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

  /** Folders on a disk; those of a virtual file system have no path to be judged. */
  folders(): readonly PolicyFolder[] {
    this.#folders ??= (this.#vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => ({
        path: uri.fsPath,
        realPath: realPathOf(uri.fsPath),
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
    return { ...settings, allowedPaths: [...new Set([...allowed, ...allowed.map(realPathOf)])] };
  }
}

const withHome = (path: string): string =>
  /^~(?=$|[\\/])/.test(path) ? join(homedir(), path.slice(1)) : path;

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // not there (yet): judged as it is named
  }
}
