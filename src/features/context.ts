import type * as vscode from 'vscode';
import { Files, WindowFiles } from '../access/files.ts';
import type { Log } from '../util/log.ts';
import type { Context } from './define.ts';
import { Diagnostics } from './diagnostics.ts';

/** What the extension knows of its window, handed to the protocol bundle with the first connection. */
export interface Window {
  vscode: typeof vscode;
  /** The window's id, which a restart of the server may change. */
  id(): string;
  extensionVersion: string;
  log: Log;
}

/** What all connections of a window share. */
export class Shared {
  readonly #window: Window;
  readonly #files: WindowFiles;
  readonly #diagnostics: Diagnostics;

  constructor(window: Window) {
    this.#window = window;
    this.#files = new WindowFiles(window.vscode, window.log);
    this.#diagnostics = new Diagnostics(window.vscode);
  }

  /** The context of one connection. */
  contextFor(clientRoots: () => readonly string[] | undefined): Context {
    const { vscode, id, extensionVersion, log } = this.#window;
    const files = new Files(this.#files, clientRoots);
    return { vscode, files, diagnostics: this.#diagnostics, window: { id, extensionVersion }, log };
  }

  dispose(): void {
    this.#files.dispose();
    this.#diagnostics.dispose();
  }
}
