import { join } from 'node:path';
import * as vscode from 'vscode';
import { requireCached } from './ui/requireCached.ts';

type Window = typeof import('./window.ts');

let window: Window | undefined;

/** Loads the extension with the code that V8 compiled in an earlier window. Returns what other extensions get. */
export function activate(context: vscode.ExtensionContext): ReturnType<Window['activate']> {
  const cache = vscode.Uri.joinPath(context.globalStorageUri, 'window.code').fsPath;
  window = requireCached<Window>(join(__dirname, 'window.cjs'), cache, require);
  return window.activate(context);
}

export const deactivate = async (): Promise<void> => window?.deactivate();
